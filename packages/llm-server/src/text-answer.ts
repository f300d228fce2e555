import type { StreamChunk } from '@acp-snapshot/session'
import type { Random } from './seeded-random.ts'

const LONGEST_DELTA = 8

/** A long text has longer deltas, so that it does not become millions of events. */
const LEAST_DELTAS = 10_000

/** The deltas of a text, each of 1 to 8 code points, without usage and finish: the beginning of a stream that fails. */
export function textDeltas(text: string, random: Random): StreamChunk[] {
  const characters = [...text]
  const longest = Math.max(LONGEST_DELTA, Math.ceil(characters.length / LEAST_DELTAS))
  const deltas: StreamChunk[] = []
  for (let start = 0; start < characters.length; ) {
    const end = start + random.integer(1, longest)
    deltas.push({ type: 'text-delta', index: 0, text: characters.slice(start, end).join('') })
    start = end
  }
  return deltas
}

/** The complete answer for a text. Its token counts are invented: one token per delta, and 100 for the prompt. */
export function textAnswer(text: string, random: Random): StreamChunk[] {
  const deltas = textDeltas(text, random)
  return [
    ...deltas,
    { type: 'usage', usage: { inputTokens: 100, outputTokens: deltas.length, cacheReadTokens: 0 } },
    { type: 'finish', reason: { kind: 'stop' } },
  ]
}
