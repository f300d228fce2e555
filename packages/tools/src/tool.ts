import type * as z from 'zod'
import type { ToolContext, ToolOutcome } from './call.ts'
import type { CallPresentation, ResultPresentation } from './presentation.ts'

/** A tool that the model may call. */
export interface Tool<Args> {
  name: string
  /** Tells the model what the tool does and when to use it. */
  description: string
  /** Validates the arguments. The model gets it as JSON Schema, so JSON Schema must be able to express it. */
  parameters: z.ZodType<Args>
  /**
   * Runs the call. It must stop when `context.signal` aborts: the turn waits until this settles, so that no work goes on
   * after a cancelled turn. An error that it throws becomes an error outcome with the same message.
   */
  execute(args: Args, context: ToolContext): Promise<ToolOutcome>
  /** How an editor shows the call. Without it: the tool's name and the arguments. */
  presentCall?(args: Args): CallPresentation
  /** How an editor shows the outcome. Without it: the text blocks as they are. */
  presentResult?(args: Args, outcome: ToolOutcome): ResultPresentation
}
