import type { ContentBlock } from '@acp-snapshot/session'
import type * as z from 'zod'
import type { CallPresentation, ResultPresentation } from './presentation.ts'

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

/** A tool that the model may call. */
export interface Tool<Args> {
  name: string
  /** Tells the model what the tool does and when to use it. */
  description: string
  /** Checks the arguments. The model is told of it as JSON Schema, so it must be one that JSON Schema can say. */
  parameters: z.ZodType<Args>
  /**
   * Runs the call. It must heed `context.signal`: a call is over only when this settles, so that nothing of a
   * cancelled turn runs on. What it throws becomes an error outcome with the thrown message.
   */
  execute(args: Args, context: ToolContext): Promise<ToolOutcome>
  /** How an editor shows the call. Without it: the tool's name and the arguments. */
  presentCall?(args: Args): CallPresentation
  /** How an editor shows the outcome. Without it: the text blocks as they are. */
  presentResult?(args: Args, outcome: ToolOutcome): ResultPresentation
}
