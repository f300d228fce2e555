import { modelAnswers } from '@acp-snapshot/testing/model-answers'
import fc from 'fast-check'
import { CALL, type Json, parseEvents, post, RUNS, TURN } from './support.ts'

const { wire } = post('/chat/completions')

test.each(['/chat/completions', '/v1/chat/completions', '/v1beta/openai/chat/completions?a=b'])(
  '%s is a call',
  (path) => {
    const { wire, route } = post(path, { model: 'm', stream: true })
    expect(wire.name).toBe('openai-chat')
    expect(route).toEqual({ kind: 'call', model: 'm', stream: true })
  },
)

test('a body that is no call is refused, and so is a path of no wire', () => {
  expect(post('/v1/chat/completions', 'no json').route).toMatchObject({ kind: 'refused', status: 400 })
  expect(post('/v1/embeddings').route).toMatchObject({ kind: 'refused', status: 404 })
})

test('a call without a model is answered as one', () => {
  expect(post('/chat/completions', { messages: [] }).route).toMatchObject({ kind: 'call', model: 'unknown' })
})

test('an HTTP error has the words of its status', () => {
  expect(wire.error(429)).toMatchObject({ error: { type: 'rate_limit_error', message: 'Rate limit reached' } })
  expect(wire.error(404, 'gone')).toMatchObject({ error: { type: 'invalid_request_error', message: 'gone' } })
  expect(wire.error(502)).toMatchObject({ error: { type: 'server_error' } })
})

test('without a stream, the answer is one completion', () => {
  expect(wire.body(TURN, CALL)).toMatchObject({
    object: 'chat.completion',
    choices: [
      {
        message: {
          role: 'assistant',
          content: 'Hello',
          reasoning_content: 'Hm',
          tool_calls: [{ id: 'call_a', type: 'function', function: { name: 'bash', arguments: '{"a":1}' } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 8, completion_tokens: 4 },
  })
})

test('the deltas of any answer join to its texts and arguments', () => {
  fc.assert(
    fc.property(modelAnswers, ({ chunks, read }) => {
      const deltas = parseEvents(wire.events(chunks, CALL)).map((event) => event.choices[0].delta)
      const calls: Json[] = []
      for (const { index, id, function: fn } of deltas.flatMap((delta) => delta.tool_calls ?? [])) {
        calls[index] ??= { id, name: fn.name, arguments: '' }
        calls[index].arguments += fn.arguments
      }
      expect(calls).toEqual(read.calls)
      for (const chunk of chunks)
        if (chunk.type === 'text-delta') expect(deltas).toContainEqual({ content: chunk.text, reasoning_content: null })
    }),
    RUNS,
  )
})
