import * as fc from 'fast-check'
import { normalizeSessionLogs, normalizeTranscript } from 'jest-serializer-acp'

const volatile = { paths: { cwd: ['/tmp/x/cwd'] } }

function chunk(text: string, kind = 'agent_message_chunk', sessionId = 'session-a'): string {
  const update = { sessionUpdate: kind, content: { type: 'text', text } }
  return JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } })
}

function textsOf(frames: readonly string[]): unknown[] {
  return normalizeTranscript(frames, volatile).map((frame) => JSON.parse(frame).params?.update?.content?.text)
}

test('a path that the model streamed in pieces becomes one token, in the piece in which it begins', () => {
  const frames = ['I am in /t', 'mp/x', '/cwd', '/src, alone'].map((text) => chunk(text))
  expect(textsOf(frames)).toEqual(['I am in {{cwd}}', '', '', '/src, alone'])
})

test('the next piece tells where a path ends', () => {
  expect(textsOf(['/tmp/x/cwd', '2/file'].map((text) => chunk(text)))).toEqual(['/tmp/x/cwd', '2/file'])
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

const pieces = fc.array(fc.constantFrom('/', 'tmp', '/x', '/cwd', 'cwd', '2', ' ', '{{', 'cwd}}', '/tmp/x/cwd'), {
  maxLength: 8,
})

test('however a text is cut, it reads the same, and normalising twice changes nothing', () => {
  fc.assert(
    fc.property(pieces, (pieces) => {
      const once = normalizeTranscript(
        pieces.map((text) => chunk(text)),
        volatile,
      )
      expect(normalizeTranscript(once, volatile)).toEqual(once)
      expect(textsOf(once).join('')).toBe(textsOf([chunk(pieces.join(''))])[0])
      const deltas = pieces.map((text) => ({ type: 'text-delta', index: 0, text }))
      const [log = ''] = normalizeSessionLogs([logOf(deltas)])
      expect(normalizeSessionLogs([log])).toEqual([log])
    }),
  )
})
