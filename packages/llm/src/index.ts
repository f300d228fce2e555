import type { Message, StreamChunk } from '@acp-snapshot/session'
import { type Context, Service } from 'cordis'
import { LlmError } from './llm-error.ts'

export type { Answer } from './assemble.ts'
export { Assembler } from './assemble.ts'
export { LlmError } from './llm-error.ts'

/** A tool as the model sees it. `parameters` is a JSON Schema. */
export interface ToolSchema {
  name: string
  description: string
  parameters: Record<string, unknown>
}

/** One model call. `sessionId`, `turn` and `step` are its place in a session; an adapter may use them in errors. */
export interface LlmRequest {
  sessionId: string
  turn: number
  step: number
  model: string
  system?: string | undefined
  tools: readonly ToolSchema[]
  messages: readonly Message[]
  signal: AbortSignal
}

declare module 'cordis' {
  interface Context {
    llm: Llm
  }
  interface Events {
    /** Answers a model call. An adapter that does not call `next()` answers it itself. */
    'llm/stream'(request: LlmRequest, next: () => AsyncIterable<StreamChunk>): AsyncIterable<StreamChunk>
  }
}

/** `ctx.llm`: the model, from any provider. */
export class Llm extends Service {
  constructor(ctx: Context) {
    super(ctx, 'llm')
  }

  /**
   * Streams the answer to one call. The stream can fail in two ways, and the caller must handle both: it throws an
   * {@link LlmError}, or it ends with a `finish` of kind `error` or `aborted`.
   */
  async *stream(request: LlmRequest): AsyncGenerator<StreamChunk> {
    let finished = false
    for await (const chunk of this.ctx.waterfall('llm/stream', request, noAdapter)) {
      finished ||= chunk.type === 'finish'
      yield chunk
    }
    if (!finished) throw new LlmError('INCOMPLETE', "the model's stream ended before it finished")
  }
}

function noAdapter(): never {
  throw new LlmError('NO_ADAPTER', 'no plugin answers llm/stream; load llm-deepseek or llm-replay')
}

export const name = 'llm'

export function apply(ctx: Context): void {
  new Llm(ctx)
}
