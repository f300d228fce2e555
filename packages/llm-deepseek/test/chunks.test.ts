import type { StreamChunk } from '@acp-snapshot/session'
import { toStreamChunks } from '../src/chunks.ts'

const usage = { prompt_tokens: 10, completion_tokens: 2 }

test('a block begins with its first delta, and ends when the stream ends', async () => {
  const chunks = await map(
    delta({ role: 'assistant', content: '', reasoning_content: '' }),
    delta({ content: null, reasoning_content: 'The' }),
    delta({ content: null, reasoning_content: ' user' }),
    delta({ content: 'PONG', reasoning_content: null }),
    finish('stop', usage),
  )
  expect(chunks).toEqual([
    { type: 'block-start', index: 0, blockType: 'reasoning' },
    { type: 'reasoning-delta', index: 0, text: 'The' },
    { type: 'reasoning-delta', index: 0, text: ' user' },
    { type: 'block-start', index: 1, blockType: 'text' },
    { type: 'text-delta', index: 1, text: 'PONG' },
    { type: 'block-end', index: 0, block: { type: 'reasoning', text: 'The user' } },
    { type: 'block-end', index: 1, block: { type: 'text', text: 'PONG' } },
    { type: 'usage', usage: { inputTokens: 10, outputTokens: 2 } },
    { type: 'finish', reason: { kind: 'stop' } },
  ])
})

test('the deltas of parallel tool calls may alternate, and each repeats its id and name', async () => {
  const chunks = await map(
    delta({ tool_calls: [call(0, '', { id: 'call_a', name: 'read' }), call(1, '', { id: 'call_b', name: 'bash' })] }),
    delta({ tool_calls: [call(1, '{"b')] }),
    delta({ tool_calls: [call(0, '{}')] }),
    delta({ tool_calls: [call(1, '":1}')] }),
    finish('tool_calls', usage),
  )
  expect(chunks).toEqual([
    { type: 'block-start', index: 0, blockType: 'tool-call' },
    { type: 'tool-call-delta', index: 0, id: 'call_a', name: 'read', argumentsDelta: '' },
    { type: 'block-start', index: 1, blockType: 'tool-call' },
    { type: 'tool-call-delta', index: 1, id: 'call_b', name: 'bash', argumentsDelta: '' },
    { type: 'tool-call-delta', index: 1, id: 'call_b', name: 'bash', argumentsDelta: '{"b' },
    { type: 'tool-call-delta', index: 0, id: 'call_a', name: 'read', argumentsDelta: '{}' },
    { type: 'tool-call-delta', index: 1, id: 'call_b', name: 'bash', argumentsDelta: '":1}' },
    { type: 'block-end', index: 0, block: { type: 'tool-call', id: 'call_a', name: 'read', arguments: '{}' } },
    { type: 'block-end', index: 1, block: { type: 'tool-call', id: 'call_b', name: 'bash', arguments: '{"b":1}' } },
    { type: 'usage', usage: { inputTokens: 10, outputTokens: 2 } },
    { type: 'finish', reason: { kind: 'tool-calls' } },
  ])
})

test.each([
  ['stop', { kind: 'stop' }],
  ['tool_calls', { kind: 'tool-calls' }],
  ['length', { kind: 'max-tokens' }],
  ['content_filter', { kind: 'refusal' }],
  ['insufficient_system_resource', { kind: 'error', code: 'INSUFFICIENT_SYSTEM_RESOURCE' }],
])('maps the finish reason %s', async (word, reason) => {
  const chunks = await map(finish(word, usage))
  expect(chunks.at(-1)).toMatchObject({ type: 'finish', reason })
})

test.each([
  ['hits and reasoning', { prompt_cache_hit_tokens: 4, completion_tokens_details: { reasoning_tokens: 1 } }],
  [
    'cached_tokens',
    { prompt_tokens_details: { cached_tokens: 4 }, completion_tokens_details: { reasoning_tokens: 1 } },
  ],
])('input tokens exclude cached tokens, reported as %s', async (_, details) => {
  const chunks = await map(finish('stop', { ...usage, ...details }))
  expect(chunks[0]).toEqual({
    type: 'usage',
    usage: { inputTokens: 6, outputTokens: 2, cacheReadTokens: 4, reasoningTokens: 1 },
  })
})

test('keeps a count of 0 that the provider reports', async () => {
  const chunks = await map(finish('stop', { ...usage, prompt_cache_hit_tokens: 0 }))
  expect(chunks[0]).toEqual({ type: 'usage', usage: { inputTokens: 10, outputTokens: 2, cacheReadTokens: 0 } })
})

test.each([
  ['after', [finish('stop', null), { choices: [], usage }]],
  ['before', [{ choices: [], usage }, finish('stop', null)]],
])('usage may come in a separate event, %s the finish reason', async (_, end) => {
  const chunks = await map(delta({ content: 'a' }), ...end)
  expect(chunks.slice(-2).map((chunk) => chunk.type)).toEqual(['usage', 'finish'])
})

test.each([
  ['no chunk at all', [], 'BAD_STREAM', 'without a single chunk'],
  ['no finish reason', [delta({ content: 'a' })], 'INCOMPLETE', 'no chunk has a finish_reason'],
  ['an event that is no chunk', [{ hello: 1 }], 'BAD_STREAM', 'expected a chat completion chunk: choices'],
  ['a text that is a number', [delta({ content: 1 })], 'BAD_STREAM', 'choices.0.delta.content'],
  ['a tool call without an id', [delta({ tool_calls: [call(0, '{}')] })], 'BAD_STREAM', 'without an id and a name'],
  ['an unknown finish reason', [finish('bored', usage)], 'BAD_STREAM', 'unknown reason "bored"'],
])('rejects a stream with %s', async (_, provided, code, message) => {
  await expect(map(...provided)).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
})

async function map(...provided: unknown[]): Promise<StreamChunk[]> {
  async function* provide() {
    yield* provided
  }
  const chunks: StreamChunk[] = []
  for await (const chunk of toStreamChunks(provide())) chunks.push(chunk)
  return chunks
}

function delta(delta: Record<string, unknown>) {
  return { choices: [{ index: 0, delta, finish_reason: null }], usage: null }
}

function finish(reason: string, usage: unknown) {
  return { choices: [{ index: 0, delta: { content: '', reasoning_content: null }, finish_reason: reason }], usage }
}

function call(index: number, args: string, first?: { id: string; name: string }) {
  return { index, ...(first && { id: first.id }), function: { ...(first && { name: first.name }), arguments: args } }
}
