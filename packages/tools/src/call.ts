import type { ContentBlock } from '@acp-snapshot/session'

/** A call as the model made it. `arguments` is its raw JSON string, which may be no JSON at all. */
export interface ToolCall {
  callId: string
  name: string
  arguments: string
}

/** Where a call runs. `cwd` is an absolute path; `signal` aborts when the turn is cancelled. */
export interface ToolContext {
  cwd: string
  signal: AbortSignal
  sessionId: string
}

/** What a call came to, in the shape of a `tool/result` event. `meta` is for the tool's own `presentResult`. */
export interface ToolOutcome {
  content: ContentBlock[]
  isError: boolean
  error?: { name: string; code?: string | undefined } | undefined
  meta?: unknown
}
