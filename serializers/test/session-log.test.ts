import { normalizeSessionLogs, type Volatile } from 'jest-serializer-acp'

const A = '5138ed0d-e86e-4a7d-b75b-803307e92b17'
const B = 'ea339828-7885-42e1-9083-4355e6f1708d'

const header = { type: 'session', version: 0, id: A, createdAt: 1783352119267, cwd: '/tmp/x' }
const print = (...lines: unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')
const normalize = (logs: readonly string[], volatile?: Volatile) =>
  normalizeSessionLogs(logs, volatile).map((log) =>
    log
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  )

test('clocks become 0, and the log can still be parsed', () => {
  const event = { type: 'tool/result', seq: 4, time: 1783352119281, data: { durationMs: 1783352119281, time: 5 } }
  expect(normalize([print(header, event)])).toEqual([
    [
      { ...header, id: '{{sessionId}}', createdAt: 0, cwd: '{{cwd}}' },
      { ...event, time: 0, data: { durationMs: 0, time: 5 } },
    ],
  ])
})

test('the ids of all sessions are numbered as one namespace, headers first', () => {
  const child = { ...header, id: B, parentSession: A, cwd: '/tmp/x' }
  const event = { type: 'x', seq: 0, time: 0, data: { text: `child ${B} of ${A}` } }
  const [primary, second] = normalize([print(header, event), print(child)])
  expect(primary?.[1]).toEqual({ ...event, data: { text: 'child {{sessionId.2}} of {{sessionId}}' } })
  expect(second?.[0]).toMatchObject({ id: '{{sessionId.2}}', parentSession: '{{sessionId}}' })
})

test('a parent without a log gets an id too', () => {
  const event = { type: 'x', seq: 0, time: 0, data: { text: B } }
  expect(normalize([print({ ...header, parentSession: B }, event)])).toMatchObject([
    [{ id: '{{sessionId}}', parentSession: '{{sessionId.2}}' }, { data: { text: '{{sessionId.2}}' } }],
  ])
})

test('an id beside tokens gets a number that no token has', () => {
  const logs = [print({ ...header, id: A }), print({ ...header, id: '{{sessionId}}', parentSession: A })]
  expect(normalize(logs)).toMatchObject([
    [{ id: '{{sessionId.2}}' }],
    [{ id: '{{sessionId}}', parentSession: '{{sessionId.2}}' }],
  ])
})

test('seq, turn, ids of calls and everything else stay', () => {
  const data = { turn: 1, callId: 'call_1796071739389', toolCallId: B, messageId: B, updatedAt: '2026-11-30T21:26:00Z' }
  const event = { type: 'tool/call', seq: 7, time: 0, data, sourceEventSeqs: [6] }
  expect(normalize([print(header, event)])[0]?.[1]).toEqual(event)
})

test("a log's own cwd is known when no cwd is given", () => {
  const event = (text: string) => ({ type: 'x', seq: 0, time: 0, data: { text, raw: `{"p":"${text}\\n"}` } })
  const logs = [print(header, event('/tmp/x/a')), print({ ...header, cwd: '/tmp/y' }, event('/private/tmp/y/a /tmp/x'))]
  expect(normalize(logs)).toMatchObject([
    [{ cwd: '{{cwd}}' }, event('{{cwd}}/a')],
    [{ cwd: '{{cwd}}' }, event('{{cwd}}/a /tmp/x')],
  ])
})

test('the cwd of a header stays visible when another is known', () => {
  expect(normalize([print(header)], { paths: { cwd: ['/tmp/z'] } })).toMatchObject([[{ cwd: '/tmp/x' }]])
})

test('the cwd of a header that is a known path gets the token of that path', () => {
  expect(normalize([print(header)], { paths: { home: ['/tmp/x'] } })).toMatchObject([[{ cwd: '{{home}}' }]])
})

test('a log of a header alone, without a cwd, stays without one', () => {
  const { cwd: _, ...bare } = header
  expect(normalizeSessionLogs([print(bare)])).toEqual([print({ ...bare, id: '{{sessionId}}', createdAt: 0 })])
})

test('the system prompt and the tools become tokens', () => {
  const request = (header: unknown) => ({
    type: 'request/header',
    seq: 3,
    time: 0,
    data: { header, reason: 'initial' },
  })
  const told = { config: { model: 'm' }, system: 'You are', tools: [{ name: 'bash' }] }
  const other = { type: 'x', seq: 4, time: 0, data: { header: told } }
  expect(normalize([print(header, request(told), request({ config: {} }), other)])[0]?.slice(1)).toEqual([
    request({ ...told, system: '{{system}}', tools: '{{tools}}' }),
    request({ config: {} }),
    other,
  ])
})

test('lines end in LF, the last one too', () => {
  const log = '{"type":"session","id":"a"}\r\n{"type":"x","time":3}'
  expect(normalizeSessionLogs([log])).toEqual(['{"type":"session","id":"{{sessionId}}"}\n{"type":"x","time":0}\n'])
})

test('a line that is not JSON is an error that names log and line', () => {
  expect(() => normalizeSessionLogs([print(header), `${print(header)}{"type":`])).toThrow(
    /^session log 2, line 2 is not JSON: "{\\"type\\":"/,
  )
})
