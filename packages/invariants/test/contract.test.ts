import type { SessionEvent, StreamChunk } from '@acp-snapshot/session'
import { EventContract, InvariantError } from '../src/contract.ts'

type Line = [type: string, data: object, sources?: number[]]

/** Checks events in order, numbered from 0. */
function check(lines: Line[]): void {
  const contract = new EventContract('s')
  lines.forEach(([type, data, sourceEventSeqs], seq) => {
    contract.check({ type, seq, time: 0, data, ...(sourceEventSeqs && { sourceEventSeqs }) } as SessionEvent)
  })
}

/** Expects that only the last line breaks a rule. */
function expectBreach(lines: Line[], rule: string): void {
  expect(() => check(lines.slice(0, -1))).not.toThrow()
  const last = lines.at(-1)
  expect(() => check(lines)).toThrow(new InvariantError(`session s: ${last?.[0]} at seq ${lines.length - 1}: ${rule}`))
}

const turnStart = (turn: number): Line => ['turn/start', { turn, trigger: { kind: 'message' } }]
const turnEnd = (turn: number): Line => ['turn/end', { turn, reason: { kind: 'completed' } }]
const stepStart = (step: number, turn = 1): Line => ['step/start', { turn, step }]
const stepEnd = (step: number, turn = 1): Line => ['step/end', { turn, step }]
const chunk = (chunk: StreamChunk, at = { turn: 1, step: 1 }): Line => ['assistant/chunk', { ...at, chunk }]
const text = chunk({ type: 'text-delta', index: 0, text: 'Hi' })
const finish = chunk({ type: 'finish', reason: { kind: 'stop' } })
const message: Line = ['assistant/message', { turn: 1, step: 1, content: [] }]
const call = (callId: string): Line => ['tool/call', { turn: 1, step: 1, callId, name: 'bash', arguments: '{}' }]
const result = (callId: string): Line => ['tool/result', { turn: 1, step: 1, callId, content: [], isError: false }]
const opened = [turnStart(1), stepStart(1)]

test('accepts a whole session, and unknown events', () => {
  check([
    ...opened,
    ['hook/run', {}],
    text,
    finish,
    ['assistant/message', { turn: 1, step: 1, content: [] }, [3, 4]],
    call('a'),
    call('b'),
    result('b'),
    result('a'),
    stepEnd(1),
    stepStart(2),
    stepEnd(2),
    turnEnd(1),
    turnStart(2),
    stepStart(1, 2),
    stepEnd(1, 2),
    turnEnd(2),
  ])
})

describe('a seq', () => {
  test('starts at 0', () => {
    const event: SessionEvent = { type: 'turn/start', seq: 1, time: 0, data: { turn: 1, trigger: { kind: 'message' } } }
    expect(() => new EventContract('s').check(event)).toThrow('session s: turn/start at seq 1: expected seq 0')
  })

  test('has no gaps', () => {
    const contract = new EventContract('s')
    const event = (seq: number): SessionEvent => ({ type: 'hook/run', seq, time: 0, data: {} })
    contract.check(event(0))
    expect(() => contract.check(event(2))).toThrow('hook/run at seq 2: expected seq 1')
  })

  test('in sourceEventSeqs refers to an earlier event', () => {
    expectBreach([...opened, text, finish, ['assistant/message', message[1], [4]]], 'source 4 is not an earlier event')
  })
})

describe('a turn', () => {
  test('starts after the previous one has ended', () => {
    expectBreach([turnStart(1), turnStart(2)], 'turn 1 has not ended')
  })

  test('has the next number', () => {
    expectBreach([turnStart(2)], 'expected turn 1, got 2')
    expectBreach([turnStart(1), turnEnd(1), turnStart(1)], 'expected turn 2, got 1')
  })

  test('ends only when it is open', () => {
    expectBreach([turnEnd(1)], 'turn 1 is not open')
    expectBreach([turnStart(1), turnEnd(2)], 'turn 2 is not open')
  })

  test('ends after its last step', () => {
    expectBreach([...opened, turnEnd(1)], 'step 1 has not ended')
  })
})

describe('a step', () => {
  test('starts in the open turn', () => {
    expectBreach([stepStart(1)], 'turn 1 is not open')
    expectBreach([turnStart(1), stepStart(1, 2)], 'turn 2 is not open')
  })

  test('starts after the previous one has ended', () => {
    expectBreach([...opened, stepStart(2)], 'step 1 has not ended')
  })

  test('has the next number, from 1 in each turn', () => {
    expectBreach([turnStart(1), stepStart(2)], 'expected step 1, got 2')
    expectBreach([...opened, stepEnd(1), stepStart(1)], 'expected step 2, got 1')
    expectBreach([...opened, stepEnd(1), turnEnd(1), turnStart(2), stepStart(2, 2)], 'expected step 1, got 2')
  })

  test('ends only when it is open', () => {
    expectBreach([turnStart(1), stepEnd(1)], 'step 1 is not open')
    expectBreach([...opened, stepEnd(2)], 'step 2 is not open')
    expectBreach([...opened, stepEnd(1, 2)], 'turn 2 is not open')
  })

  test('ends only when every call has a result', () => {
    const lines = [...opened, call('a'), call('b'), call('c'), result('b'), stepEnd(1)]
    expectBreach(lines, 'calls without a result: a, c')
  })
})

describe('the content of a step', () => {
  test.each([
    ['a chunk', text],
    ['a message', message],
    ['a call', call('a')],
    ['a result', result('a')],
  ])('is of the open step: %s', (_, line) => {
    const rule = 'turn 1 step 1 is not open'
    expectBreach([line], rule)
    expectBreach([turnStart(1), line], rule)
    expectBreach([...opened, stepEnd(1), stepStart(2), line], rule)
  })

  test('has no chunk after the finish', () => {
    expectBreach([...opened, finish, text], 'a chunk after the finish')
  })

  test('has no message before the finish of the same step', () => {
    expectBreach([...opened, text, message], 'a message before the finish')
    const next: Line = ['assistant/message', { turn: 1, step: 2, content: [] }]
    expectBreach([...opened, finish, stepEnd(1), stepStart(2), next], 'a message before the finish')
  })

  test('has at most one message', () => {
    expectBreach([...opened, finish, message, message], 'a second message')
  })

  test('has one result per call', () => {
    expectBreach([...opened, result('a')], 'no open call a')
    expectBreach([...opened, call('a'), result('a'), result('a')], 'no open call a')
  })

  test('has one call per id', () => {
    expectBreach([...opened, call('a'), call('a')], 'call a is already open')
  })
})
