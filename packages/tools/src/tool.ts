import type * as z from 'zod'
import type { ToolContext, ToolOutcome } from './call.ts'
import type { CallPresentation, ResultPresentation } from './presentation.ts'

/** A tool that the model may call. */
export interface Tool<Args> {
  name: string
  /** Tells the model what the tool does and when to use it. */
  description: string
  /** Checks the arguments. The model gets it as JSON Schema, so it must be one that JSON Schema can express. */
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
