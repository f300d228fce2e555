import * as fc from 'fast-check'
import { normalizeSessionLogs, normalizeTranscript } from 'jest-serializer-acp'
import { expectLinear } from './support.ts'

const volatile = { paths: { cwd: ['/tmp/x/cwd'] } }

function chunk(text: string, kind = 'agent_message_chunk', sessionId = 'session-a', messageId?: string): string {
  const update = { sessionUpdate: kind, messageId, content: { type: 'text', text } }
  return JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } })
}

function textsOf(frames: readonly string[]): unknown[] {
  return normalizeTranscript(frames, volatile).map((frame) => JSON.parse(frame).params?.update?.content?.text)
}

test('a path that the model streamed in pieces becomes one token, in the piece in which it begins', () => {
  const frames = ['I am in /t', 'mp/x', '/cwd', '/src, alone'].map((text) => chunk(text))
  expect(textsOf(frames)).toEqual(['I am in {{cwd}}', '', '', '/src, alone'])
})

test('the next piece decides where a path from an earlier piece ends', () => {
  expect(textsOf(['/tmp/x/c', 'wd', '2/file'].map((text) => chunk(text)))).toEqual(['/tmp/x/c', 'wd', '2/file'])
})

test('a match inside a piece is found, whatever comes before and after the piece', () => {
  const frames = ['See', '/tmp/x/cwd', '/tmp/x/cwd', '2 files', '/tmp/x/cwd/a'].map((text) => chunk(text))
  expect(textsOf(frames)).toEqual(['See', '{{cwd}}', '{{cwd}}', '2 files', '{{cwd}}/a'])
  const id = '9e94b313-fd99-4c90-9066-757ba290d833'
  expect(textsOf([chunk('in', undefined, id), chunk(id, undefined, id), chunk('on', undefined, id)])).toEqual([
    'in',
    '{{sessionId}}',
    'on',
  ])
})

test('a longer path across the border wins over a match inside a piece', () => {
  const paths = { tmp: ['/tmp/x'], cwd: ['/tmp/x/cwd'] }
  const frames = ['/tmp/x', '/cwd/a'].map((text) => chunk(text))
  expect(normalizeTranscript(frames, { paths }).map((frame) => JSON.parse(frame).params.update.content.text)).toEqual([
    '{{cwd}}',
    '/a',
  ])
})

test('another messageId is another message', () => {
  const frames = ['/tmp/x', '/cwd'].map((text, i) => chunk(text, undefined, undefined, `m${i}`))
  expect(textsOf(frames)).toEqual(['/tmp/x', '/cwd'])
  const same = ['/tmp/x', '/cwd'].map((text) => chunk(text, undefined, undefined, 'm'))
  expect(textsOf(same)).toEqual(['{{cwd}}', ''])
  expect(textsOf([chunk('/tmp/x'), chunk('/cwd', undefined, undefined, 'm')])).toEqual(['/tmp/x', '/cwd'])
})

test('messages of other kinds and of other sessions are other texts', () => {
  const frames = [
    chunk('/tmp/x', 'agent_thought_chunk'),
    chunk('/cwd'),
    chunk('/tmp', 'agent_message_chunk', 'session-b'),
    chunk(' is it'),
    chunk('/x/cwd', 'agent_message_chunk', 'session-b'),
  ]
  expect(textsOf(frames)).toEqual(['/tmp/x', '/cwd', '{{cwd}}', ' is it', ''])
})

test('a message ends with the turn, and at any other update', () => {
  const answer = '{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}'
  expect(textsOf([chunk('/tmp/x/cwd'), answer, chunk('2')])).toEqual(['{{cwd}}', undefined, '2'])
  const plan =
    '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"session-a","update":{"sessionUpdate":"plan","entries":[]}}}'
  expect(textsOf([chunk('/tmp/x/cwd'), plan, chunk('2')])).toEqual(['{{cwd}}', undefined, '2'])
  expect(textsOf([chunk('/tmp/x'), answer, chunk('/cwd')])).toEqual(['/tmp/x', undefined, '/cwd'])
  expect(textsOf([chunk('/tmp/x'), plan, chunk('/cwd')])).toEqual(['/tmp/x', undefined, '/cwd'])
})

const HEADER = '{"type":"session","version":0,"id":"a","createdAt":1,"cwd":"/tmp/x/cwd"}\n'

function logOf(deltas: object[]): string {
  const events = deltas.map((chunk, seq) => ({
    type: 'assistant/chunk',
    seq,
    time: 1,
    data: { turn: 1, step: 1, chunk },
  }))
  return HEADER + events.map((event) => `${JSON.stringify(event)}\n`).join('')
}

function chunksOf(log: string): unknown[] {
  const [text = ''] = normalizeSessionLogs([log])
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line).data.chunk)
}

test('in a log, the deltas of each block are one text, however the blocks interleave', () => {
  const call = (index: number, argumentsDelta: string) => ({
    type: 'tool-call-delta',
    index,
    id: `c${index}`,
    argumentsDelta,
  })
  const log = logOf([call(0, '{"a":"/tmp/x'), call(1, '{"b":"/tmp/'), call(0, '/cwd"}'), call(1, 'x/cwd/f"}')])
  expect(chunksOf(log)).toEqual([call(0, '{"a":"{{cwd}}'), call(1, '{"b":"{{cwd}}'), call(0, '"}'), call(1, '/f"}')])
})

test('in a log, a block that starts again is another block, and so is the block of another call', () => {
  const start = { type: 'block-start', index: 0, blockType: 'text' }
  const text = (text: string) => ({ type: 'text-delta', index: 0, text })
  expect(chunksOf(logOf([start, text('/tmp/x'), start, text('/cwd')]))).toEqual([
    start,
    text('/tmp/x'),
    start,
    text('/cwd'),
  ])
  const call = (id: string, argumentsDelta: string) => ({ type: 'tool-call-delta', index: 0, id, argumentsDelta })
  const calls = [call('a', '/tmp/x'), call('b', '/cwd')]
  expect(chunksOf(logOf(calls))).toEqual(calls)
  expect(chunksOf(logOf([text('/tmp/x/cwd'), text('2')]))).toEqual([text('{{cwd}}'), text('2')])
})

test('in a log, thoughts and text, and two steps, are different blocks', () => {
  const text = (text: string, type = 'text-delta') => ({ type, index: 0, text })
  const mixed = [text('/tmp/x', 'reasoning-delta'), text('/cwd')]
  expect(chunksOf(logOf(mixed))).toEqual(mixed)
  const inStep = (step: number, chunk: object) =>
    `${JSON.stringify({ type: 'assistant/chunk', seq: step, time: 1, data: { turn: 1, step, chunk } })}\n`
  const steps = [text('/tmp/x'), text('/cwd')]
  expect(chunksOf(HEADER + steps.map((chunk, i) => inStep(i + 1, chunk)).join(''))).toEqual(steps)
})

const pieces = fc.array(fc.constantFrom('/', 'tmp', '/x', '/cwd', 'cwd', '2', ' ', '{{', 'cwd}}', '/tmp/x/cwd'), {
  maxLength: 8,
})

test('the result does not depend on where a text is cut, unless a piece has a match by itself', () => {
  fc.assert(
    fc.property(pieces, (pieces) => {
      fc.pre(pieces.every((piece) => textsOf([chunk(piece)])[0] === piece && !piece.includes('}}')))
      const once = textsOf(pieces.map((text) => chunk(text)))
      expect(once.join('')).toBe(textsOf([chunk(pieces.join(''))])[0])
    }),
  )
})

test('a match inside a piece is found among other pieces too, or is part of a longer match', () => {
  fc.assert(
    fc.property(pieces, (pieces) => {
      fc.pre(!/\{\{\w+\}\}/.test(pieces.join('')))
      const raw = /(?<![\w}./-])\/tmp\/x\/cwd(?![\w{./-])/
      for (const text of textsOf(pieces.map((text) => chunk(text)))) expect(text).not.toMatch(raw)
    }),
  )
})

test('however a text is cut, normalising twice changes nothing', () => {
  const ids = ['session-1', '(abcdefgh)', '-/tmp/x/cwd', '/cwd/tmp/x/cwd', 'sess', 'ion-1']
  const cuts = fc.array(fc.oneof(pieces, fc.array(fc.constantFrom(...ids), { maxLength: 3 })), { maxLength: 4 })
  fc.assert(
    fc.property(cuts, (cuts) => {
      const texts = ['(abcdefgh)', ...cuts.flat()]
      const frames = texts.map((text) => chunk(text, undefined, 'session-1', '(abcdefgh)'))
      const once = normalizeTranscript(frames, volatile)
      expect(normalizeTranscript(once, volatile)).toEqual(once)
      const deltas = texts.map((text) => ({ type: 'text-delta', index: 0, text }))
      const [log = ''] = normalizeSessionLogs([logOf(deltas)])
      expect(normalizeSessionLogs([log])).toEqual([log])
    }),
    { numRuns: 1500 },
  )
})

test.each([
  ['word by word', ['I am in /t', 'mp/x', '/cwd', '/src, alone. ']],
  ['letter by letter', [...'/tmp/x/cwd ', ...'word '.repeat(9)]],
])('the time to normalise a streamed text grows with its length, and not with its square: %s', (_, cut) => {
  expectLinear((events) => {
    const texts = Array.from({ length: events }, (_, i) => cut[i % cut.length] ?? '')
    const [log = ''] = normalizeSessionLogs([logOf(texts.map((text) => ({ type: 'text-delta', index: 0, text })))])
    expect(log.match(/\{\{cwd\}\}/g)).toHaveLength(1 + Math.ceil(events / cut.length))
    expect(log).not.toContain('/tmp')
  }, 4_000)
})
