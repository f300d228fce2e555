import { deriveMessages, parseSessionLog, printSessionLog, type SessionEvent, SessionLog } from '@acp-snapshot/session'
import fc from 'fast-check'
import { emptyLog, log, logWith, types } from './arbitrary.ts'

test('counts seq from 0 without gaps', () => {
  const log = emptyLog()
  log.append('step/start', { turn: 1, step: 1 })
  log.append('step/end', { turn: 1, step: 1 })
  expect(log.events.map((event) => event.seq)).toEqual([0, 1])
})

test('rejects persisted events with a gap', () => {
  const events = [{ type: 'x', seq: 1, time: 0, data: {} }]
  expect(() => new SessionLog(emptyLog().header, events)).toThrow('session a-session: expected seq 0, got 1')
})

test('appended events are deeply frozen', () => {
  const { data } = emptyLog().append('user/message', {
    content: [{ type: 'text', text: 'a' }],
    source: { kind: 'user' },
  })
  expect(Object.isFrozen(data.content[0])).toBe(true)
})

test('marks the events that add a message to the history', () => {
  const log = emptyLog()
  log.append('user/message', { content: [], source: { kind: 'user' } })
  log.append('step/start', { turn: 1, step: 1 })
  expect(log.events.map((event) => event.surfaceOp)).toEqual(['append', undefined])
})

test('returns the last event of a type', () => {
  const log = emptyLog()
  log.append('step/start', { turn: 1, step: 1 })
  log.append('step/start', { turn: 1, step: 2 })
  log.append('step/end', { turn: 1, step: 2 })
  expect(log.last('step/start')?.data.step).toBe(2)
  expect(log.last('turn/end')).toBeUndefined()
})

test('a printed and parsed log derives the same messages', () => {
  fc.assert(
    fc.property(log, ({ log }) => {
      const { header, events } = parseSessionLog(
        printSessionLog({ header: { ...log.header }, events: [...log.events] }),
        'log',
      )
      expect(deriveMessages(new SessionLog(header, events).events)).toEqual(deriveMessages(log.events))
    }),
  )
})

test('a tool result becomes a message with one tool-result block', () => {
  const log = emptyLog()
  const content = [{ type: 'text' as const, text: 'a.txt' }]
  log.append('tool/result', { turn: 1, step: 1, callId: 'c', content, isError: true })
  expect(types(log.events)).toEqual(['tool/result'])
  expect(deriveMessages(log.events)).toEqual([
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', content, isError: true }] },
  ])
})

describe('an event of another product that adds a message to the history', () => {
  const foreign = (type: string, data: object): SessionEvent => ({ type, seq: 0, time: 0, data, surfaceOp: 'append' })
  const text = [{ type: 'text' as const, text: 'Be quick.' }]

  test.each([
    ['context/message', { content: text, source: { kind: 'hook' } }, { role: 'user', content: text }],
    ['steering/message', { content: 'Be quick.' }, { role: 'user', content: text }],
    ['summary/message', { role: 'assistant', content: text }, { role: 'assistant', content: text }],
  ])('is a message whatever it is called: %s', (type, data, message) => {
    expect(deriveMessages([foreign(type, data)])).toEqual([message])
    const log = printSessionLog({ header: { ...emptyLog().header }, events: [foreign(type, data)] })
    expect(deriveMessages(parseSessionLog(log, 'log').events)).toEqual([message])
  })

  test('is rejected with its line when the message is invalid', () => {
    const log = printSessionLog({ header: { ...emptyLog().header }, events: [foreign('context/message', { note: 1 })] })
    expect(() => parseSessionLog(log, 'log')).toThrow(
      'log:2: context/message adds a message to the history, but its data content: ',
    )
  })

  test('is no message without surfaceOp', () => {
    expect(deriveMessages([{ type: 'context/message', seq: 0, time: 0, data: { content: text } }])).toEqual([])
  })
})

test('a refused turn is left out of the history', () => {
  const said = (text: string) => ({ content: [{ type: 'text' as const, text }], source: { kind: 'user' } })
  const log = logWith([
    ['turn/start', { turn: 1, trigger: { kind: 'message' } }],
    ['user/message', said('one')],
    ['turn/end', { turn: 1, reason: { kind: 'completed' } }],
    ['turn/start', { turn: 2, trigger: { kind: 'message' } }],
    ['user/message', said('two')],
    ['turn/end', { turn: 2, reason: { kind: 'rejected', reason: 'no' } }],
    ['turn/start', { turn: 3, trigger: { kind: 'message' } }],
    ['user/message', said('three')],
  ])
  expect(deriveMessages(log.events).map(({ content }) => content)).toEqual([said('one').content, said('three').content])
})
