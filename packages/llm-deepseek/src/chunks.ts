import { LlmError } from '@acp-snapshot/llm/error'
import type { StreamChunk } from '@acp-snapshot/session'
import { OpenBlocks } from './open-blocks.ts'
import { type ProviderUsage, parseProviderChunk, toFinishReason, toUsage } from './provider-chunk.ts'

/**
 * Turns the provider's chunks into {@link StreamChunk}s. Block ends, usage and finish follow the end of the stream, so that
 * nothing can follow a finish. An answer with a `finish_reason` is complete, with or without `[DONE]`. DeepSeek sends usage
 * in that chunk, other providers in the next one.
 *
 * @throws LlmError `BAD_STREAM` for a stream without chunks, or with an invalid one; `INCOMPLETE` for a stream without a `finish_reason`
 */
export async function* toStreamChunks(provided: AsyncIterable<unknown>): AsyncGenerator<StreamChunk> {
  const blocks = new OpenBlocks()
  let empty = true
  let usage: ProviderUsage | undefined
  let finishReason: string | undefined
  for await (const value of provided) {
    const chunk = parseProviderChunk(value)
    const choice = chunk.choices[0]
    if (choice?.delta) yield* blocks.add(choice.delta)
    empty = false
    usage = chunk.usage ?? usage
    finishReason = choice?.finish_reason ?? finishReason
  }
  if (empty) throw new LlmError('BAD_STREAM', 'the event stream was empty: it ended without a single chunk')
  if (finishReason === undefined) {
    throw new LlmError('INCOMPLETE', 'the stream ended before it finished: no chunk has a finish_reason')
  }
  const reason = toFinishReason(finishReason)
  yield* blocks.end()
  if (usage) yield { type: 'usage', usage: toUsage(usage) }
  yield { type: 'finish', reason }
}
