import type { ContentBlock } from '@acp-snapshot/session'

/** A call as the model made it. `arguments` is its raw string, which may be invalid JSON. */
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

/** The result of a call, in the shape of a `tool/result` event. `meta` is for the tool's own `presentResult`. */
export interface ToolOutcome {
  content: ContentBlock[]
  isError: boolean
  error?: { name: string; code?: string | undefined } | undefined
  meta?: unknown
}

/** An error outcome. `code` is one word for a program; the model reads `text`. */
export function failure(code: string, text: string, name = 'ToolError'): ToolOutcome {
  return { content: [{ type: 'text', text }], isError: true, error: { name, code } }
}
