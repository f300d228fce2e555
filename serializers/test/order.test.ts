import * as fc from 'fast-check'
import { type ArrivedFrame, type ClientMessage, canonicalOrder } from 'jest-serializer-acp'

const update = (sessionId: string, text: string) =>
  JSON.stringify({
    method: 'session/update',
    params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', text } },
  })
const state = (sessionId: string) =>
  JSON.stringify({ method: 'session/update', params: { sessionId, update: { sessionUpdate: 'usage_update' } } })
const response = (id: number, result: object = {}) => JSON.stringify({ id, result })

/** Sessions a and b, made one after the other: requests 1 to 3. */
const START: ClientMessage[] = [
  { id: 1, method: 'initialize' },
  { id: 2, method: 'session/new' },
  { id: 3, method: 'session/new' },
]
const STARTED = [response(1), response(2, { sessionId: 'a' }), response(3, { sessionId: 'b' })]
const prompt = (id: number, sessionId: string): ClientMessage => ({ id, method: 'session/prompt', sessionId })

function ordered(texts: readonly string[], sent: readonly ClientMessage[]): string[] {
  const frames: ArrivedFrame[] = texts.map((text) => ({ text, sent: sent.length }))
  return canonicalOrder(frames, sent).map((i) => texts[i] ?? '')
}

/** The lanes, mixed as the numbers say. */
function mix(lanes: readonly (readonly string[])[], draws: readonly number[]): string[] {
  const left = lanes.map((lane) => [...lane])
  const mixed: string[] = []
  for (const draw of draws) mixed.push(...(left[draw % left.length]?.splice(0, 1) ?? []))
  return [...mixed, ...left.flat()]
}

const piece = (session: string) =>
  fc.oneof(
    fc.nat(9).map((n) => update(session, String(n))),
    fc.constant(state(session)),
    fc.nat(9).map((n) => JSON.stringify({ id: `${session}${n}`, method: 'x', params: { sessionId: session } })),
  )
const lane = (session: string, id: number) =>
  fc
    .tuple(fc.array(piece(session), { maxLength: 6 }), fc.array(piece(session), { maxLength: 2 }))
    .map(([turn, after]) => [...turn, response(id), ...after])

test('the order does not depend on how the frames of two sessions mix, and within a session it is the order of arrival', () => {
  const sent = [...START, prompt(4, 'a'), prompt(5, 'b')]
  fc.assert(
    fc.property(lane('a', 4), lane('b', 5), fc.array(fc.nat(1), { maxLength: 20 }), (a, b, draws) => {
      const mixed = ordered([...STARTED, ...mix([a, b], draws)], sent)
      expect(mixed).toEqual(ordered([...STARTED, ...a, ...b], sent))
      expect(mixed.filter((text) => a.includes(text) && !b.includes(text))).toEqual(a)
    }),
  )
})

test('with one session, nothing is reordered', () => {
  const any = fc.array(fc.oneof(piece('a'), fc.constant(response(3)), fc.constant('{"method":"x"}')))
  fc.assert(
    fc.property(any, (texts) => {
      const all = [response(1), response(2, { sessionId: 'a' }), ...texts]
      expect(ordered(all, [...START.slice(0, 2), prompt(3, 'a')])).toEqual(all)
    }),
  )
})

test('sessions that take turns stay in the order of arrival', () => {
  const sent = [...START, prompt(4, 'a'), prompt(5, 'b'), prompt(6, 'a')]
  const texts = [
    ...STARTED,
    ...[update('a', '1'), '{"method":"x"}', response(4), update('b', '1'), response(5), update('a', '2'), response(6)],
  ]
  const arrived = [1, 2, 3, 4, 4, 4, 5, 5, 6, 6].map((sent, i) => ({ text: texts[i] ?? '', sent }))
  expect(canonicalOrder(arrived, sent)).toEqual(texts.map((_, i) => i))
})

test('a cancelled turn ends after everything that came before the cancel', () => {
  const cancel = { method: 'session/cancel', sessionId: 'a' }
  const sent = [...START, prompt(4, 'a'), prompt(5, 'b'), cancel]
  const cancelled = response(4, { stopReason: 'cancelled' })
  const frames = [update('a', '1'), update('b', '1'), response(5), cancelled]
  expect(ordered([...STARTED, ...frames], sent)).toEqual([...STARTED, ...frames])
  expect(ordered([...STARTED, frames[1] ?? '', frames[0] ?? '', cancelled, response(5)], sent)).toEqual([
    ...STARTED,
    ...frames,
  ])
})

test('a cancellation of a request stays after that request', () => {
  const sent = [...START, prompt(4, 'a'), prompt(5, 'b')]
  const ask = JSON.stringify({ id: 'r', method: 'x', params: { sessionId: 'b' } })
  const back = JSON.stringify({ method: '$/cancel_request', params: { requestId: 'r' } })
  expect(ordered([...STARTED, ask, update('a', '1'), back], sent)).toEqual([...STARTED, update('a', '1'), ask, back])
})

test('a frame without a session stays after the frame that it followed', () => {
  const sent = [...START, prompt(4, 'a'), prompt(5, 'b')]
  const free = '{"method":"free"}'
  const texts = [...STARTED, update('b', '1'), free, update('a', '1')]
  expect(ordered(texts, sent)).toEqual([...STARTED, update('a', '1'), update('b', '1'), free])
})
