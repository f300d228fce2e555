import { startLlmServer } from '@acp-snapshot/llm-server'
import type { ContentBlock, StreamChunk, Usage } from '@acp-snapshot/session'
import fc from 'fast-check'
import { callModel } from './support.ts'

type Delta = { kind: 'text' | 'reasoning'; text: string } | { kind: 'call'; call: number; text: string }

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
const delta: fc.Arbitrary<Delta> = fc.oneof(
  fc.record({ kind: fc.constantFrom('text' as const, 'reasoning' as const), text: words }),
  fc.record({ kind: fc.constant('call' as const), call: fc.nat(2), text: fc.oneof(words, fc.constant('')) }),
)
const usage = fc.record(
  { inputTokens: fc.nat(), outputTokens: fc.nat(), cacheReadTokens: fc.nat(), reasoningTokens: fc.nat() },
  { requiredKeys: ['inputTokens', 'outputTokens'] },
)
const finish = fc.constantFrom('stop' as const, 'tool-calls' as const, 'max-tokens' as const)
const wire = fc.record({ seed: fc.nat(), packetBytes: fc.option(fc.integer({ min: 1, max: 64 }), { nil: undefined }) })

test('every answer of the provider gives the chunks that the server was given', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(delta, { maxLength: 20 }), usage, finish, wire, async (deltas, usage, kind, options) => {
      const chunks = toChunks(deltas, usage, kind)
      const server = await startLlmServer({ script: [{ kind: 'chunks', chunks }], ...options })
      try {
        expect(await callModel({ baseURL: server.url })).toEqual({ chunks })
      } finally {
        await server.close()
      }
    }),
    { numRuns: 60 },
  )
})

/** The chunks of an answer that the provider streams as these deltas. */
function toChunks(deltas: Delta[], usage: Usage, kind: 'stop' | 'tool-calls' | 'max-tokens'): StreamChunk[] {
  const keys = [...new Set(deltas.map(keyOf))]
  const seen = new Set<string>()
  const body = deltas.flatMap((delta): StreamChunk[] => {
    const key = keyOf(delta)
    const index = keys.indexOf(key)
    const blockType = delta.kind === 'call' ? 'tool-call' : delta.kind
    const start: StreamChunk[] = seen.has(key) ? [] : [{ type: 'block-start', index, blockType }]
    seen.add(key)
    if (delta.kind !== 'call') return [...start, { type: `${delta.kind}-delta`, index, text: delta.text }]
    const { id, name } = identity(delta.call)
    return [...start, { type: 'tool-call-delta', index, id, name, argumentsDelta: delta.text }]
  })
  const ends = keys.map((key, index): StreamChunk => ({ type: 'block-end', index, block: toBlock(deltas, key) }))
  return [...body, ...ends, { type: 'usage', usage }, { type: 'finish', reason: { kind } }]
}

function toBlock(deltas: Delta[], key: string): ContentBlock {
  const own = deltas.filter((delta) => keyOf(delta) === key)
  const text = own.map((delta) => delta.text).join('')
  const [first] = own
  if (first?.kind === 'call') return { type: 'tool-call', ...identity(first.call), arguments: text }
  return { type: first?.kind ?? 'text', text }
}

function keyOf(delta: Delta): string {
  return delta.kind === 'call' ? `call ${delta.call}` : delta.kind
}

function identity(call: number) {
  return { id: `call_0${call}_x`, name: call === 0 ? 'bash' : 'read' }
}
