import type { StreamChunk } from '@acp-snapshot/session'
import fc from 'fast-check'

/** No number with an exponent: Anthropic's client reads `5e-324` in a stream as `5324`. */
const VALUES = [fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null)]

/** Chunks of up to four blocks, whose deltas are mixed, and what a client must read in them. */
export const modelAnswers: fc.Arbitrary<{ chunks: StreamChunk[]; read: Read }> = fc
  .array(
    fc.oneof(
      fc.record({
        type: fc.constantFrom('text' as const, 'reasoning' as const),
        text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
      }),
      fc.record({
        type: fc.constant('tool-call' as const),
        name: fc.stringMatching(/^[a-z]\w{0,9}$/),
        text: fc.object({ maxDepth: 1, values: VALUES }).map((value) => JSON.stringify(value)),
      }),
    ),
    { maxLength: 4 },
  )
  .chain((blocks) =>
    fc
      .array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 6 })
      .map((sizes) => ({ chunks: toChunks(blocks, sizes), read: toRead(blocks) })),
  )

/** What a client reads in an answer: block by block. */
export interface Read {
  texts: string[]
  reasonings: string[]
  calls: { id: string; name: string; arguments: string }[]
}

type Block = { type: 'text' | 'reasoning'; text: string } | { type: 'tool-call'; name: string; text: string }

/** Takes a piece of each block in turn. Texts of one type do not mix: chat completions have one of each. */
function toChunks(blocks: readonly Block[], sizes: readonly number[]): StreamChunk[] {
  const rests = blocks.map(({ text }) => [...text])
  const chunks = blocks.map(({ type }, index): StreamChunk => ({ type: 'block-start', index, blockType: type }))
  for (let turn = 0; turn === 0 || rests.some((rest) => rest.length > 0); turn += 1) {
    for (const [index, block] of blocks.entries()) {
      const waits = blocks.slice(0, index).some(({ type }, i) => type === block.type && rests[i]?.length)
      if (waits && block.type !== 'tool-call') continue
      const text = rests[index]?.splice(0, (sizes[turn % sizes.length] ?? 0) + (turn === 0 ? 0 : 1)).join('') ?? ''
      chunks.push(
        block.type === 'tool-call'
          ? { type: 'tool-call-delta', index, id: `call_${index}`, name: block.name, argumentsDelta: text }
          : { type: `${block.type}-delta`, index, text },
      )
    }
  }
  return [
    ...chunks,
    { type: 'usage', usage: { inputTokens: 3, outputTokens: 4 } },
    { type: 'finish', reason: { kind: blocks.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop' } },
  ]
}

function toRead(blocks: readonly Block[]): Read {
  const texts = (type: Block['type']) => blocks.filter((block) => block.type === type).map(({ text }) => text)
  const calls = blocks.flatMap((block, index) =>
    block.type === 'tool-call' ? [{ id: `call_${index}`, name: block.name, arguments: block.text }] : [],
  )
  return { texts: texts('text'), reasonings: texts('reasoning'), calls }
}
