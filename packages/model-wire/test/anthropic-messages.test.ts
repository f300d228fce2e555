import { modelAnswers, type Read } from '@acp-snapshot/testing/model-answers'
import fc from 'fast-check'
import { CALL, FAILED, type Json, parseEvents, post, RUNS, TURN } from './support.ts'

const { wire } = post('/v1/messages')

test.each(['/v1/messages', '/messages', '/anthropic/v1/messages?beta=true'])('%s is a call', (path) => {
  const { wire, route } = post(path, { model: 'm', stream: true, messages: [] })
  expect(wire.name).toBe('anthropic-messages')
  expect(route).toEqual({ kind: 'call', model: 'm', stream: true })
})

test('a request that is no call is refused', () => {
  expect(post('/v1/messages').route).toMatchObject({ kind: 'refused', status: 400 })
})

test('streams block by block: thinking with its signature, text, tool use, then the stop reason and usage', () => {
  const usage = { input_tokens: 3, cache_creation_input_tokens: 2, cache_read_input_tokens: 5, output_tokens: 4 }
  const delta = (index: number, delta: object) => ({ type: 'content_block_delta', index, delta })
  expect(parseEvents(wire.events(TURN, CALL))).toEqual([
    {
      type: 'message_start',
      message: {
        id: expect.any(String),
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...usage, output_tokens: 0 },
      },
    },
    { type: 'ping' },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    delta(0, { type: 'thinking_delta', thinking: 'Hm' }),
    delta(0, { type: 'signature_delta', signature: expect.stringMatching(/./) }),
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    delta(1, { type: 'text_delta', text: 'He' }),
    delta(1, { type: 'text_delta', text: 'llo' }),
    { type: 'content_block_stop', index: 1 },
    {
      type: 'content_block_start',
      index: 2,
      content_block: { type: 'tool_use', id: 'call_a', name: 'bash', input: {} },
    },
    delta(2, { type: 'input_json_delta', partial_json: '{"a"' }),
    delta(2, { type: 'input_json_delta', partial_json: ':1}' }),
    { type: 'content_block_stop', index: 2 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ])
})

test('an answer without a finish leaves its last block open', () => {
  const events = parseEvents(wire.events(TURN.slice(0, 3), CALL))
  expect(events.at(-1)).toMatchObject({ type: 'content_block_delta', index: 1 })
})

test('a block whose end is among the chunks is complete, without a finish', () => {
  const block = { type: 'tool-call' as const, id: 'call_a', name: 'bash', arguments: '{}' }
  const events = parseEvents(wire.events([{ type: 'block-end', index: 0, block }], CALL))
  expect(events.at(-1)).toEqual({ type: 'content_block_stop', index: 0 })
})

test('a body has no call with incomplete arguments', () => {
  const half = { type: 'tool-call-delta' as const, index: 0, id: 'call_a', name: 'bash', argumentsDelta: '{"a' }
  expect(wire.body([half], CALL)).toMatchObject({ content: [], stop_reason: null })
})

test('an answer that fails ends with an error event', () => {
  const events = parseEvents(wire.events(FAILED, CALL))
  expect(events.at(-1)).toEqual({ type: 'error', error: { type: 'api_error', message: 'busy' } })
})

test('an HTTP error has the type of its status', () => {
  expect(wire.error(529, 'busy')).toMatchObject({ type: 'error', error: { type: 'overloaded_error', message: 'busy' } })
  expect(wire.error(429)).toMatchObject({ error: { type: 'rate_limit_error' } })
  expect(wire.error(413)).toMatchObject({ error: { type: 'request_too_large' } })
  expect(wire.error(500)).toMatchObject({ error: { type: 'api_error' } })
})

test('without a stream, the answer is one message', () => {
  expect(wire.body(TURN, CALL)).toMatchObject({
    type: 'message',
    content: [
      { type: 'thinking', thinking: 'Hm', signature: expect.stringMatching(/./) },
      { type: 'text', text: 'Hello' },
      { type: 'tool_use', id: 'call_a', name: 'bash', input: { a: 1 } },
    ],
    stop_reason: 'tool_use',
  })
})

test('the deltas of any answer join to its texts and arguments', () => {
  fc.assert(
    fc.property(modelAnswers, ({ chunks, read }) => expect(decode(wire.events(chunks, CALL))).toEqual(read)),
    RUNS,
  )
})

function decode(events: string[]): Read {
  const blocks: Json[] = []
  for (const event of parseEvents(events)) {
    if (event.type === 'content_block_start') blocks[event.index] = { ...event.content_block, json: '' }
    if (event.type !== 'content_block_delta') continue
    const block = blocks[event.index]
    block.text += event.delta.text ?? ''
    block.thinking += event.delta.thinking ?? ''
    block.json += event.delta.partial_json ?? ''
  }
  const of = (type: string) => blocks.filter((block) => block.type === type)
  return {
    texts: of('text').map(({ text }) => text),
    reasonings: of('thinking').map(({ thinking }) => thinking),
    calls: of('tool_use').map(({ id, name, json }) => ({ id, name, arguments: json })),
  }
}
