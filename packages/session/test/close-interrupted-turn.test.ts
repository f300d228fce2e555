import { closeInterruptedTurn, deriveMessages, type EventData, type EventType } from '@acp-snapshot/session'
import fc from 'fast-check'
import { logWith, types } from './arbitrary.ts'

type Entry = { [T in EventType]: [T, EventData[T]] }[EventType]

const at = { turn: 1, step: 1 }
const call = (id: string) => ({ type: 'tool-call' as const, id, name: 'bash', arguments: '{}' })

/** A complete turn with two calls. */
const WHOLE: Entry[] = [
  ['turn/start', { turn: 1, trigger: { kind: 'message' } }],
  ['user/message', { content: [], source: { kind: 'user' } }],
  ['step/start', at],
  ['assistant/message', { ...at, content: [call('a'), call('b')] }],
  ['tool/call', { ...at, callId: 'a', name: 'bash', arguments: '{}' }],
  ['tool/result', { ...at, callId: 'a', content: [], isError: false }],
  ['tool/call', { ...at, callId: 'b', name: 'bash', arguments: '{}' }],
  ['tool/result', { ...at, callId: 'b', content: [], isError: false }],
  ['step/end', at],
  ['turn/end', { turn: 1, reason: { kind: 'completed' } }],
]

test('a turn that has ended stays unchanged', () => {
  expect(closeInterruptedTurn(logWith(WHOLE))).toEqual([])
  expect(closeInterruptedTurn(logWith([]))).toEqual([])
})

test('a turn interrupted between two calls gets their results and its end', () => {
  const log = logWith(WHOLE.slice(0, 6))
  expect(types(closeInterruptedTurn(log))).toEqual(['tool/call', 'tool/result', 'step/end', 'turn/end'])
  expect(log.last('turn/end')?.data.reason).toEqual({ kind: 'interrupted' })
})

test('wherever the crash happened, the log ends balanced and each call has one result', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: WHOLE.length }), (length) => {
      const log = logWith(WHOLE.slice(0, length))
      closeInterruptedTurn(log)
      const counts = (type: string) => log.events.filter((event) => event.type === type).length
      expect(counts('turn/end')).toBe(1)
      expect(counts('step/end')).toBe(counts('step/start'))
      const blocks = deriveMessages(log.events).flatMap((message) => message.content)
      const asked = blocks.flatMap((block) => (block.type === 'tool-call' ? [block.id] : []))
      const answered = blocks.flatMap((block) => (block.type === 'tool-result' ? [block.toolCallId] : []))
      expect(answered).toEqual(asked)
    }),
  )
})
