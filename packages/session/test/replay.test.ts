import { deriveReplayScript, parseOverride, parseReplayReport } from '@acp-snapshot/session'
import fc from 'fast-check'
import { log, logWith } from './arbitrary.ts'

const finish = { type: 'finish', reason: { kind: 'stop' } } as const
const text = { type: 'text-delta', index: 0, text: 'a' } as const

test('a derived script serves the chunks that were logged, one entry a model call', () => {
  fc.assert(
    fc.property(log, ({ log, answers }) => {
      expect(deriveReplayScript(log.events)).toEqual(answers.map((chunks) => ({ kind: 'chunks', chunks })))
    }),
  )
})

test('a step whose answer never finishes asks for an override, naming turn and step', () => {
  const at = { turn: 2, step: 3 }
  const events = logWith([
    ['step/start', at],
    ['assistant/chunk', { ...at, chunk: text }],
  ]).events
  expect(() => deriveReplayScript(events, 'session.jsonl')).toThrow(
    "session.jsonl: turn 2 step 3: the model's answer never finishes, so it cannot be replayed as it is. " +
      'Record it again, or set "overridden": true and write replay.override.json',
  )
})

test('a step without an answer asks for an override too', () => {
  const { events } = logWith([['step/start', { turn: 1, step: 1 }]])
  expect(() => deriveReplayScript(events)).toThrow('turn 1 step 1')
})

test('a chunk after the finish is refused', () => {
  const at = { turn: 1, step: 1 }
  const { events } = logWith([
    ['assistant/chunk', { ...at, chunk: finish }],
    ['assistant/chunk', { ...at, chunk: text }],
  ])
  expect(() => deriveReplayScript(events)).toThrow('turn 1 step 1: a chunk follows the finish')
})

test('an override serves each session its own entries, in order', () => {
  const entries = [
    { kind: 'hang' },
    { kind: 'chunks', chunks: [finish], session: 1 },
    { kind: 'throw', chunks: [text], message: 'no', code: 'AUTH', status: 401 },
  ]
  expect(parseOverride(JSON.stringify(entries), 'o')).toEqual([
    [{ kind: 'hang' }, { kind: 'throw', chunks: [text], message: 'no', code: 'AUTH', status: 401 }],
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
])('refuses the override %s', (text, message) => {
  expect(() => parseOverride(text, 'o')).toThrow(message)
})

test('a replay report that is not one is refused, naming the line', () => {
  const good = '{"type":"failed","message":"m"}\n'
  expect(parseReplayReport(good)).toEqual([{ type: 'failed', message: 'm' }])
  expect(() => parseReplayReport(`${good}{"type":"served"}\n`)).toThrow('replay report: line 2')
})
