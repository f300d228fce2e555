import { routeRequest } from '@acp-snapshot/model-wire'
import type { StreamChunk } from '@acp-snapshot/session'
import fc from 'fast-check'

/** One POST, routed. */
export function post(path: string, body: unknown = {}) {
  return routeRequest({ method: 'POST', path, headers: {}, body })
}

export const CALL = { model: 'm', answerId: '7' }

/** What a client reads in an answer: block by block. */
export interface Read {
  texts: string[]
  reasonings: string[]
  calls: { id: string; name: string; arguments: string }[]
}

/** A bounded number of runs keeps the file fast on a busy machine. */
export const RUNS = { numRuns: 25 }

/** Chunks of up to four blocks, whose deltas are mixed, and what a client must read in them. */
export const answers: fc.Arbitrary<{ chunks: StreamChunk[]; read: Read }> = fc
  .array(
    fc.oneof(
      fc.record({
        type: fc.constantFrom('text' as const, 'reasoning' as const),
        text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
      }),
      fc.record({
        type: fc.constant('tool-call' as const),
        text: fc.object({ maxDepth: 1 }).map((value) => JSON.stringify(value)),
      }),
    ),
    { maxLength: 4 },
  )
  .chain((blocks) =>
    fc
      .array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 6 })
      .map((sizes) => ({ chunks: toChunks(blocks, sizes), read: toRead(blocks) })),
  )

type Block = { type: 'text' | 'reasoning' | 'tool-call'; text: string }

/** Takes a piece of each block in turn. */
function toChunks(blocks: readonly Block[], sizes: readonly number[]): StreamChunk[] {
  const rests = blocks.map(({ text }) => [...text])
  const chunks = blocks.map(({ type }, index): StreamChunk => ({ type: 'block-start', index, blockType: type }))
  for (let turn = 0; turn === 0 || rests.some((rest) => rest.length > 0); turn += 1) {
    for (const [index, rest] of rests.entries()) {
      const type = blocks[index]?.type ?? 'text'
      const text = rest.splice(0, (sizes[turn % sizes.length] ?? 0) + (turn === 0 ? 0 : 1)).join('')
      chunks.push(
        type === 'tool-call'
          ? { type: 'tool-call-delta', index, id: `call_${index}`, name: 'bash', argumentsDelta: text }
          : { type: `${type}-delta`, index, text },
      )
    }
  }
  return [
    ...chunks,
    { type: 'usage', usage: { inputTokens: 3, outputTokens: 4 } },
    { type: 'finish', reason: { kind: 'stop' } },
  ]
}

function toRead(blocks: readonly Block[]): Read {
  const texts = (type: Block['type']) => blocks.filter((block) => block.type === type).map(({ text }) => text)
  const calls = blocks.flatMap(({ type, text }, index) =>
    type === 'tool-call' ? [{ id: `call_${index}`, name: 'bash', arguments: text }] : [],
  )
  return { texts: texts('text'), reasonings: texts('reasoning'), calls }
}

/** Reasoning, a text and a tool call, with all counts. */
export const TURN: StreamChunk[] = [
  { type: 'reasoning-delta', index: 0, text: 'Hm' },
  { type: 'text-delta', index: 1, text: 'He' },
  { type: 'text-delta', index: 1, text: 'llo' },
  { type: 'tool-call-delta', index: 2, id: 'call_a', name: 'bash', argumentsDelta: '{"a"' },
  { type: 'tool-call-delta', index: 2, id: 'call_a', argumentsDelta: ':1}' },
  {
    type: 'usage',
    usage: { inputTokens: 3, outputTokens: 4, cacheReadTokens: 5, cacheWriteTokens: 2, reasoningTokens: 1 },
  },
  { type: 'finish', reason: { kind: 'tool-calls' } },
]

export const FAILED: StreamChunk[] = [
  { type: 'text-delta', index: 0, text: 'so far' },
  { type: 'finish', reason: { kind: 'error', message: 'busy' } },
]

/** The data of printed events. An event name must be the `type` of its data. */
export function parseEvents(events: readonly string[]): Json[] {
  return events.map((event) => {
    const [, name, data = ''] = /^(?:event: (.*)\n)?data: (.*)\n\n$/.exec(event) ?? []
    const value = JSON.parse(data)
    if (name !== undefined) expect(value.type).toBe(name)
    return value
  })
}

/** What `JSON.parse` returns: tests look into it without checking each step. */
export type Json = ReturnType<typeof JSON.parse>
