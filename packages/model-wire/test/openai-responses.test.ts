import { modelAnswers, type Read } from '@acp-snapshot/testing/model-answers'
import fc from 'fast-check'
import { CALL, FAILED, type Json, parseEvents, post, RUNS, TURN } from './support.ts'

const { wire } = post('/v1/responses')

test.each(['/v1/responses', '/responses', '/backend-api/codex/responses'])('%s is a call', (path) => {
  const { wire, route } = post(path, { model: 'm', stream: true, input: [] })
  expect(wire.name).toBe('openai-responses')
  expect(route).toEqual({ kind: 'call', model: 'm', stream: true })
})

test('a request that is no call is refused', () => {
  expect(post('/v1/responses').route).toMatchObject({ kind: 'refused', status: 400 })
})

test('streams item by item, with numbered events, and ends with the whole response', () => {
  const events = parseEvents(wire.events(TURN, CALL))
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, i) => i))
  expect(events.map(({ type, output_index }) => [type.replace('response.', ''), output_index])).toEqual([
    ['created', undefined],
    ['in_progress', undefined],
    ['output_item.added', 0],
    ['reasoning_summary_part.added', 0],
    ['reasoning_summary_text.delta', 0],
    ['reasoning_summary_text.done', 0],
    ['reasoning_summary_part.done', 0],
    ['output_item.done', 0],
    ['output_item.added', 1],
    ['content_part.added', 1],
    ['output_text.delta', 1],
    ['output_text.delta', 1],
    ['output_text.done', 1],
    ['content_part.done', 1],
    ['output_item.done', 1],
    ['output_item.added', 2],
    ['function_call_arguments.delta', 2],
    ['function_call_arguments.delta', 2],
    ['function_call_arguments.done', 2],
    ['output_item.done', 2],
    ['completed', undefined],
  ])
  expect(events[4]).toMatchObject({ item_id: 'rs_7_0', summary_index: 0, delta: 'Hm' })
  expect(events[12]).toMatchObject({ item_id: 'msg_7_1', content_index: 0, text: 'Hello' })
  expect(events[15].item).toMatchObject({ type: 'function_call', call_id: 'call_a', name: 'bash', arguments: '' })
  const { response } = events.at(-1)
  expect(response).toEqual(wire.body(TURN, CALL))
  expect(response).toMatchObject({
    status: 'completed',
    model: 'm',
    output: [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm' }] },
      { type: 'message', content: [{ type: 'output_text', text: 'Hello' }] },
      { type: 'function_call', call_id: 'call_a', name: 'bash', arguments: '{"a":1}' },
    ],
    usage: {
      input_tokens: 8,
      input_tokens_details: { cached_tokens: 5 },
      output_tokens: 4,
      output_tokens_details: { reasoning_tokens: 1 },
      total_tokens: 12,
    },
  })
})

test('an answer without a finish leaves its last item open', () => {
  const events = parseEvents(wire.events(TURN.slice(0, 3), CALL))
  expect(events.at(-1)).toMatchObject({ type: 'response.output_text.delta', output_index: 1 })
})

test('a block whose end is among the chunks is complete, without a finish', () => {
  const block = { type: 'tool-call' as const, id: 'call_a', name: 'bash', arguments: '{}' }
  const events = parseEvents(wire.events([{ type: 'block-end', index: 0, block }], CALL))
  expect(events.at(-1)).toMatchObject({ type: 'response.output_item.done', item: { call_id: 'call_a' } })
})

test('an answer that fails, or that is cut short, says so in its last event', () => {
  expect(parseEvents(wire.events(FAILED, CALL)).at(-1)).toMatchObject({
    type: 'response.failed',
    response: { status: 'failed', error: { code: 'server_error', message: 'busy' } },
  })
  const full = parseEvents(wire.events([{ type: 'finish', reason: { kind: 'max-tokens' } }], CALL)).at(-1)
  expect(full).toMatchObject({
    type: 'response.incomplete',
    response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
  })
})

test('an HTTP error has the code of its status', () => {
  expect(wire.error(429, 'slow down')).toEqual({
    error: { message: 'slow down', type: 'requests', param: null, code: 'rate_limit_exceeded' },
  })
  expect(wire.error(503)).toMatchObject({ error: { type: 'server_error' } })
})

test('the deltas of any answer join to its texts and arguments', () => {
  fc.assert(
    fc.property(modelAnswers, ({ chunks, read }) => {
      const events = parseEvents(wire.events(chunks, CALL))
      expect(fromDeltas(events)).toEqual(read)
      expect(fromItems(events.at(-1).response.output)).toEqual(read)
    }),
    RUNS,
  )
})

function fromDeltas(events: Json[]): Read {
  const items: Json[] = []
  for (const { type, output_index, item, delta } of events) {
    if (type === 'response.output_item.added') items[output_index] = { ...item, text: '' }
    if (type.endsWith('.delta')) items[output_index].text += delta
  }
  return toRead(items, ({ text }) => text)
}

function fromItems(items: Json[]): Read {
  return toRead(items, (item) => item.arguments ?? (item.content ?? item.summary)[0].text)
}

function toRead(items: Json[], textOf: (item: Json) => string): Read {
  const of = (type: string) => items.filter((item) => item.type === type)
  return {
    texts: of('message').map(textOf),
    reasonings: of('reasoning').map(textOf),
    calls: of('function_call').map((item) => ({ id: item.call_id, name: item.name, arguments: textOf(item) })),
  }
}
