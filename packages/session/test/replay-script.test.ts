import {
  deriveReplayScript,
  type EventData,
  parseOverride,
  parseReplayReport,
  type SessionEvent,
  type SessionLog,
  type StreamChunk,
} from '@acp-snapshot/session'
import fc from 'fast-check'
import { log, logWith } from './arbitrary.ts'

const finish = { type: 'finish', reason: { kind: 'stop' } } as const
const start = { type: 'block-start', index: 0, blockType: 'text' } as const
const text = { type: 'text-delta', index: 0, text: 'a' } as const
const end = { type: 'block-end', index: 0, block: { type: 'text', text: 'a' } } as const

const parsed = ({ header, events }: SessionLog) => ({ header, events: [...events] })

test('a derived script serves the logged chunks, with one entry for each model call', () => {
  fc.assert(
    fc.property(log, ({ log, answers }) => {
      expect(deriveReplayScript(parsed(log))).toEqual(answers.map((chunks) => ({ kind: 'chunks', chunks })))
    }),
  )
})

test('a step whose answer never finishes is refused: the error names turn and step, and suggests an override', () => {
  const at = { turn: 2, step: 3 }
  const log = logWith([
    ['step/start', at],
    ['assistant/chunk', { ...at, chunk: start }],
  ])
  expect(() => deriveReplayScript(parsed(log), 'session.jsonl')).toThrow(
    "session.jsonl:3: turn 2 step 3: the model's answer never finishes, so it cannot be replayed as it is. " +
      'Record it again, or set "overridden": true and write replay.override.json',
  )
})

test('a step without an answer is refused too', () => {
  const log = logWith([['step/start', { turn: 1, step: 1 }]])
  expect(() => deriveReplayScript(parsed(log))).toThrow('session.jsonl:2: turn 1 step 1')
})

test('a chunk after the finish is refused', () => {
  const at = { turn: 1, step: 1 }
  const log = logWith([
    ['assistant/chunk', { ...at, chunk: finish }],
    ['assistant/chunk', { ...at, chunk: text }],
  ])
  expect(() => deriveReplayScript(parsed(log))).toThrow('session.jsonl:3: turn 1 step 1: a chunk follows the finish')
})

describe('a step in which the agent retried the model call', () => {
  const at = { turn: 1, step: 1 }
  const stepOf = (...chunks: StreamChunk[]) =>
    logWith([
      ['step/start', at],
      ...chunks.map((chunk): ['assistant/chunk', EventData['assistant/chunk']] => [
        'assistant/chunk',
        { ...at, chunk },
      ]),
    ])
  const whole = [start, text, end, finish]
  const cut = { kind: 'throw', message: 'the stream was cut before it finished', code: 'INCOMPLETE' }

  test('gives an entry for each attempt: one that fails after its chunks, and the answer', () => {
    expect(deriveReplayScript(parsed(stepOf(start, text, ...whole)))).toEqual([
      { ...cut, chunks: [start, text] },
      { kind: 'chunks', chunks: whole },
    ])
  })

  test('gives an entry for an attempt that ended its block, and for one that finished with an error', () => {
    const failed: StreamChunk = { type: 'finish', reason: { kind: 'error', code: 'SERVER' } }
    expect(deriveReplayScript(parsed(stepOf(start, text, end, start, text, failed, ...whole)))).toEqual([
      { ...cut, chunks: [start, text, end] },
      { kind: 'chunks', chunks: [start, text, failed] },
      { kind: 'chunks', chunks: whole },
    ])
  })

  test('is refused if the last attempt does not finish', () => {
    const log = stepOf(...whole, start, text)
    expect(() => deriveReplayScript(parsed(log))).toThrow("session.jsonl:8: turn 1 step 1: the model's answer never")
  })

  test('is checked attempt by attempt', () => {
    const other: StreamChunk = { ...text, index: 1 }
    expect(() => deriveReplayScript(parsed(stepOf(start, other, ...whole)))).toThrow(
      'session.jsonl:4: turn 1 step 1: text-delta of block 1, which has not started',
    )
  })

  test('keeps all chunks in order, wherever the attempts were cut', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: whole.length - 1 }), { maxLength: 4 }), (cuts) => {
        const chunks = [...cuts.flatMap((length) => whole.slice(0, length)), ...whole]
        const script = deriveReplayScript(parsed(stepOf(...chunks)))
        expect(script).toHaveLength(cuts.length + 1)
        expect(script.flatMap((entry) => entry.chunks)).toEqual(chunks)
      }),
    )
  })
})

describe('a forked session', () => {
  test('has no entries for inherited steps', () => {
    fc.assert(
      fc.property(log, log, ({ log: seed, answers: inherited }, { log: own, answers }) => {
        const offset = inherited.length
        const events = [...seed.events, ...own.events.map((event) => later(event, seed.events.length, offset))]
        const header = { ...seed.header, parentSession: 'p', seedLength: seed.events.length }
        expect(deriveReplayScript({ header, events })).toEqual(answers.map((chunks) => ({ kind: 'chunks', chunks })))
      }),
    )
  })

  test('has errors with line numbers that count the inherited lines', () => {
    const at = { turn: 2, step: 1 }
    const { header, events } = logWith([
      ['step/start', { turn: 1, step: 1 }],
      ['step/start', at],
      ['assistant/chunk', { ...at, chunk: text }],
    ])
    const forked = { header: { ...header, seedLength: 1 }, events: [...events] }
    expect(() => deriveReplayScript(forked)).toThrow('session.jsonl:4: turn 2 step 1: text-delta of block 0')
  })
})

/** Moves an event further down in a log. */
function later(event: SessionEvent, seq: number, turns: number): SessionEvent {
  const data = event.data as { turn?: number }
  return {
    ...event,
    seq: event.seq + seq,
    data: data.turn === undefined ? data : { ...data, turn: data.turn + turns },
  }
}

test('an override gives each session its own entries, in order', () => {
  const entries = [
    { kind: 'hang' },
    { kind: 'chunks', chunks: [finish], session: 1 },
    { kind: 'throw', chunks: [start, text], message: 'no', code: 'AUTH', status: 401 },
  ]
  expect(parseOverride(JSON.stringify(entries), 'o')).toEqual([
    [{ kind: 'hang' }, { kind: 'throw', chunks: [start, text], message: 'no', code: 'AUTH', status: 401 }],
    [{ kind: 'chunks', chunks: [finish] }],
  ])
})

test.each([
  ['{', 'o:1:2: not JSON'],
  [`${'['.repeat(200)}${']'.repeat(200)}`, 'o:1:101: nested too deeply'],
  ['[{"kind":"hang","session":300000000}]', 'o: entry 0: "session" is 300000000; a run has at most 1000'],
  ['[{"kind":"hang","session":1000}]', 'a run has at most 1000'],
  ['{}', 'o: '],
  ['[{"kind":"wait"}]', 'o: 0.kind'],
  ['[{"kind":"hang","chunks":[{"type":"text"}]}]', 'o: 0.chunks.0.type'],
  ['[{"kind":"hang","after":1}]', 'o: 0: Unrecognized key: "after"'],
  ['[{"kind":"chunks","chunks":[]}]', "o: entry 0: the model's answer never finishes"],
  [
    '[{"kind":"hang","chunks":[{"type":"text-delta","index":1,"text":""}]}]',
    'o: entry 0 chunk 0: text-delta of block 1, which has not started',
  ],
  [
    JSON.stringify([{ kind: 'throw', chunks: [start, { ...end, index: 1 }], message: 'm', code: 'C' }]),
    'o: entry 0 chunk 1: block-end of block 1, which has not started',
  ],
])('refuses the override %s', (text, message) => {
  expect(() => parseOverride(text, 'o')).toThrow(message)
})

test('a replay report with an unknown line is refused, and the error names the line', () => {
  const good = '{"type":"failed","message":"m"}\n'
  expect(parseReplayReport(good)).toEqual([{ type: 'failed', message: 'm' }])
  expect(() => parseReplayReport(`${good}{"type":"served"}\n`)).toThrow('replay report: line 2')
})

test('a replay report whose last line is torn is refused, and the error names the line', () => {
  expect(() => parseReplayReport('{"type":"failed","message":"m"}\n{"type":"ser')).toThrow(
    'replay report: line 2 is torn',
  )
})
