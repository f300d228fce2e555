import type { StreamChunk } from '@acp-snapshot/session'
import fc from 'fast-check'
import { findAnswerFault } from '../src/answer-fault.ts'
import { answer } from './arbitrary.ts'

const CALL = { type: 'tool-call', id: 'call_1', name: 'bash', arguments: '{"a":1}' } as const

/** An answer with reasoning, text and a call, as streamed by our adapter and by those of the corpus. */
const ANSWER: StreamChunk[] = [
  { type: 'block-start', index: 0, blockType: 'reasoning' },
  { type: 'reasoning-delta', index: 0, text: 'I ' },
  { type: 'reasoning-delta', index: 0, text: 'see.' },
  { type: 'block-start', index: 1, blockType: 'text' },
  { type: 'text-delta', index: 1, text: 'Well.' },
  { type: 'block-start', index: 2, blockType: 'tool-call' },
  { type: 'tool-call-delta', index: 2, id: 'call_1', name: 'bash', argumentsDelta: '{"a"' },
  { type: 'tool-call-delta', index: 2, id: 'call_1', argumentsDelta: ':1}' },
  { type: 'block-end', index: 0, block: { type: 'reasoning', text: 'I see.' } },
  { type: 'block-end', index: 1, block: { type: 'text', text: 'Well.' } },
  { type: 'block-end', index: 2, block: CALL },
  { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } },
  { type: 'finish', reason: { kind: 'tool-calls' } },
]

const changed = (at: number, chunk: StreamChunk) => ANSWER.map((as, i) => (i === at ? chunk : as))

test('a whole answer has no fault, and neither does any prefix of it', () => {
  fc.assert(
    fc.property(fc.oneof(answer, fc.constant(ANSWER)), fc.nat(), (chunks, length) => {
      expect(findAnswerFault(chunks, 'whole')).toBeUndefined()
      expect(findAnswerFault(chunks.slice(0, length % (chunks.length + 1)), 'prefix')).toBeUndefined()
    }),
  )
})

test('a provider may omit the deltas of a block, and the name of a call in all deltas but one', () => {
  const whole = ANSWER.filter(({ type }) => !type.endsWith('-delta'))
  expect(findAnswerFault(whole, 'whole')).toBeUndefined()
})

test.each<[string, number, StreamChunk, string]>([
  [
    'the text of a delta',
    4,
    { type: 'text-delta', index: 1, text: 'Wall.' },
    '9: the text of block 1 differs from its earlier chunks: expected "Wall.", got "Well."',
  ],
  [
    'the text of a thought',
    1,
    { type: 'reasoning-delta', index: 0, text: 'We ' },
    '8: the text of block 0 differs from its earlier chunks: expected "We see.", got "I see."',
  ],
  [
    'the text of a block-end',
    9,
    { type: 'block-end', index: 1, block: { type: 'text', text: 'Well' } },
    '9: the text of block 1 differs from its earlier chunks: expected "Well.", got "Well"',
  ],
  [
    "a piece of a call's arguments",
    7,
    { type: 'tool-call-delta', index: 2, id: 'call_1', argumentsDelta: ':2}' },
    String.raw`10: the arguments of block 2 differ from their earlier chunks: expected "{\"a\":2}", got "{\"a\":1}"`,
  ],
  [
    "a call's id",
    7,
    { type: 'tool-call-delta', index: 2, id: 'call_2', argumentsDelta: ':1}' },
    '7: the id of block 2 differs from its earlier chunks: expected "call_1", got "call_2"',
  ],
  [
    "a call's name",
    6,
    { type: 'tool-call-delta', index: 2, id: 'call_1', name: 'read', argumentsDelta: '{"a"' },
    '10: the name of block 2 differs from its earlier chunks: expected "read", got "bash"',
  ],
  [
    "a call's id in its block-end",
    10,
    { type: 'block-end', index: 2, block: { ...CALL, id: 'call_2' } },
    '10: the id of block 2 differs from its earlier chunks: expected "call_1", got "call_2"',
  ],
  [
    'the index of a delta',
    4,
    { type: 'text-delta', index: 3, text: 'Well.' },
    '4: text-delta of block 3, which has not started',
  ],
  [
    'the index of a delta, to that of another block',
    4,
    { type: 'text-delta', index: 0, text: 'Well.' },
    '4: text-delta in block 0, which started as reasoning',
  ],
  [
    'the index of a block-end',
    9,
    { type: 'block-end', index: 0, block: { type: 'text', text: 'Well.' } },
    '9: block-end of block 0, which has ended',
  ],
  [
    'the index of a block-start',
    3,
    { type: 'block-start', index: 2, blockType: 'text' },
    '4: text-delta of block 1, which has not started',
  ],
  [
    'the type of a block',
    3,
    { type: 'block-start', index: 1, blockType: 'reasoning' },
    '4: text-delta in block 1, which started as reasoning',
  ],
  [
    'the type of a block-end',
    9,
    { type: 'block-end', index: 1, block: { type: 'reasoning', text: 'Well.' } },
    '9: block 1 started as text and ends as reasoning',
  ],
  [
    'a call that finishes with stop',
    12,
    { type: 'finish', reason: { kind: 'stop' } },
    '12: the finish is "stop", but the answer holds a tool call: expected "tool-calls"',
  ],
  [
    'an end that is gone',
    10,
    { type: 'usage', usage: { inputTokens: 0, outputTokens: 0 } },
    '12: the answer finishes, but block 2 has not ended',
  ],
  [
    'a chunk behind the finish',
    11,
    { type: 'finish', reason: { kind: 'tool-calls' } },
    '12: a chunk follows the finish',
  ],
  [
    'no finish',
    12,
    { type: 'usage', usage: { inputTokens: 0, outputTokens: 0 } },
    "12: the model's answer never finishes",
  ],
])('an answer with another %s has a fault', (_, at, chunk, expected) => {
  const fault = findAnswerFault(changed(at, chunk), 'whole')
  expect(`${fault?.chunk}: ${fault?.problem}`).toContain(expected)
})

test('an answer without a call must not finish with tool-calls', () => {
  const chunks: StreamChunk[] = [{ type: 'finish', reason: { kind: 'tool-calls' } }]
  expect(findAnswerFault(chunks, 'whole')).toEqual({
    chunk: 0,
    problem: 'the finish is "tool-calls", but the answer holds no tool call',
  })
})

test('a block may stay open when the provider gives up', () => {
  const begun: StreamChunk = { type: 'block-start', index: 0, blockType: 'text' }
  expect(findAnswerFault([begun, { type: 'finish', reason: { kind: 'error' } }], 'whole')).toBeUndefined()
  expect(findAnswerFault([begun, { type: 'finish', reason: { kind: 'max-tokens' } }], 'whole')).toMatchObject({
    chunk: 1,
  })
})

test('changing any text in the answer is a fault', () => {
  const texts = ANSWER.flatMap((chunk, i) => ('text' in chunk || chunk.type === 'block-end' ? [i] : []))
  fc.assert(
    fc.property(fc.constantFrom(...texts), fc.string(), (at, text) => {
      const chunk = ANSWER[at]
      const other = JSON.parse(JSON.stringify(chunk), (key, value) =>
        key === 'text' || key === 'arguments' ? text : value,
      )
      fc.pre(JSON.stringify(other) !== JSON.stringify(chunk))
      expect(findAnswerFault(changed(at, other), 'whole')).toBeDefined()
    }),
  )
})
