import { modelAnswers, type Read } from '@acp-snapshot/testing/model-answers'
import fc from 'fast-check'
import { CALL, FAILED, type Json, parseEvents, post, RUNS, TURN } from './support.ts'

const { wire } = post('/v1beta/models/m:generateContent')

test.each([
  ['/v1beta/models/m-2.5:streamGenerateContent?alt=sse', true],
  ['/models/m-2.5:streamGenerateContent?key=k&alt=sse', true],
  ['/v1beta/models/m-2.5:generateContent', false],
])('%s is a call', (path, stream) => {
  const { wire, route } = post(path, { contents: [] })
  expect(wire.name).toBe('gemini')
  expect(route).toEqual({ kind: 'call', model: 'm-2.5', stream })
})

test('counts tokens, and refuses other methods and a stream that is not of events', () => {
  expect(post('/v1beta/models/m:countTokens').route).toEqual({ kind: 'look-up', answer: { totalTokens: 100 } })
  expect(post('/v1beta/models/m:embedContent').route).toMatchObject({ kind: 'refused', status: 404 })
  const { route } = post('/v1beta/models/m:streamGenerateContent', { contents: [] })
  expect(route).toMatchObject({ kind: 'refused', status: 400 })
})

test('streams parts: thoughts, text, a whole function call, then the finish reason and usage', () => {
  const content = (part: object) => ({ content: { parts: [part], role: 'model' }, index: 0 })
  const events = parseEvents(wire.events(TURN, CALL))
  expect(events.map(({ candidates }) => candidates[0])).toEqual([
    content({ text: 'Hm', thought: true }),
    content({ text: 'He' }),
    content({ text: 'llo' }),
    content({ functionCall: { id: 'call_a', name: 'bash', args: { a: 1 } } }),
    { ...content({ text: '' }), finishReason: 'STOP' },
  ])
  expect(events.at(-1)).toMatchObject({
    modelVersion: 'm',
    usageMetadata: {
      promptTokenCount: 8,
      cachedContentTokenCount: 5,
      candidatesTokenCount: 3,
      thoughtsTokenCount: 1,
      totalTokenCount: 12,
    },
  })
})

test('an answer without a finish has no finish reason, and no call with incomplete arguments', () => {
  const events = parseEvents(wire.events(TURN.slice(0, 4), CALL))
  expect(events).toHaveLength(3)
  expect(events.at(-1).candidates[0].finishReason).toBeUndefined()
})

test('a call whose end is among the chunks is sent, without a finish', () => {
  const block = { type: 'tool-call' as const, id: 'call_a', name: 'bash', arguments: '{}' }
  const [event] = parseEvents(wire.events([{ type: 'block-end', index: 0, block }], CALL))
  expect(event.candidates[0].content.parts).toEqual([{ functionCall: { id: 'call_a', name: 'bash', args: {} } }])
})

test('a body has no call with incomplete arguments', () => {
  const half = { type: 'tool-call-delta' as const, index: 0, id: 'call_a', name: 'bash', argumentsDelta: '{"a' }
  expect(wire.body([half], CALL)).toMatchObject({ candidates: [{ content: { parts: [] } }] })
})

test('an answer that fails ends with an error that is no event', () => {
  const error = { code: 500, message: 'busy', status: 'INTERNAL' }
  const events = wire.events(FAILED, CALL)
  expect(JSON.parse(events.at(-1) ?? '')).toEqual({ error })
  expect(parseEvents(events.slice(0, -1))).toHaveLength(1)
})

test('an HTTP error has the word of its status', () => {
  expect(wire.error(429, 'slow')).toEqual({ error: { code: 429, message: 'slow', status: 'RESOURCE_EXHAUSTED' } })
  expect(wire.error(503)).toMatchObject({ error: { status: 'UNAVAILABLE' } })
})

test('without a stream, the answer is one response', () => {
  expect(wire.body(TURN, CALL)).toMatchObject({
    candidates: [
      {
        content: {
          parts: [
            { text: 'Hm', thought: true },
            { text: 'Hello' },
            { functionCall: { id: 'call_a', name: 'bash', args: { a: 1 } } },
          ],
        },
        finishReason: 'STOP',
      },
    ],
    usageMetadata: { totalTokenCount: 12 },
  })
})

test('says which arguments are not an object', () => {
  const call = { type: 'tool-call' as const, id: 'a', name: 'bash', arguments: '[1]' }
  expect(() => wire.body([{ type: 'block-end', index: 0, block: call }], CALL)).toThrow(
    'the arguments of bash are not a JSON object, which this wire cannot send: [1]',
  )
})

test('the parts of any answer join to its texts and arguments', () => {
  fc.assert(
    fc.property(modelAnswers, ({ chunks, read }) => {
      const events = parseEvents(wire.events(chunks, CALL))
      const parts: Json[] = events.flatMap(({ candidates }) => candidates[0].content.parts)
      const join = (thought: boolean) =>
        parts.map((part) => ((part.thought ?? false) === thought ? (part.text ?? '') : '')).join('')
      expect(join(false)).toBe(read.texts.join(''))
      expect(join(true)).toBe(read.reasonings.join(''))
      expect(parts.flatMap(({ functionCall }) => functionCall ?? [])).toEqual(toCalls(read))
    }),
    RUNS,
  )
})

function toCalls({ calls }: Read) {
  return calls.map(({ id, name, arguments: json }) => ({ id, name, args: JSON.parse(json) }))
}
