import * as fc from 'fast-check'
import { normalizeSessionLogs, normalizeTranscript, type Volatile } from 'jest-serializer-acp'

const UUIDS = ['9e94b313-fd99-4c90-9066-757ba290d833', 'a9282055-3295-44a5-9f32-57a80cc84f38']
const RAW_IDS = [
  ...UUIDS,
  'ses_dd1d579ccffe',
  'session-1',
  'session-1-a',
  's1',
  'sessionId',
  '/tmp/x/s1',
  'a:/tmp/x',
  '(abcdefgh)',
]
const TOKENS = ['{{sessionId}}', '{{sessionId.2}}', '{{sessionId.3}}', '{{messageId}}', '{{cwd}}', '{{cwd:relative}}']
const PATHS = [
  '/tmp/x',
  '/private/tmp/x',
  'tmp/x',
  '\\/tmp\\/x',
  'file:///tmp/x',
  '%2Ftmp%2Fx',
  'C:\\a\\b',
  'c:/a/b',
  '/tmp',
]
const GLUE = [
  '',
  ' ',
  '/',
  '\\',
  '.',
  '..',
  '-',
  '+',
  ':',
  '"',
  '\\n',
  '%2F',
  '{',
  '}',
  '}}',
  '{{',
  '(',
  'x',
  '1',
  '@',
  '\u001b[0m',
  '在',
]

const SHAPES = [
  '127.0.0.1:54321',
  'localhost:40000',
  'localhost%3A40000',
  '[::1]:60000',
  '127.0.0.1:',
  '65000',
  '/var/tmp/shot_',
  '/tmp/x/s/foo-a1B2c3',
  '/tmp/tmpab_1cdef',
  '/tmp/acp-0123456789ab',
  '1796071739389',
  '0123456789abcdef',
  '{{port}}',
  '{{tempName.2}}',
  '{{time}}',
]

const paths = { tmp: ['/tmp'], cwd: ['/tmp/x', 'C:\\a\\b'], sessions: ['/tmp/x/s'] }

const text = fc
  .array(fc.constantFrom(...RAW_IDS, ...TOKENS, ...PATHS, ...SHAPES, ...GLUE, ...GLUE), { maxLength: 9 })
  .map((parts) => parts.join(''))
const id = fc.oneof(fc.constantFrom(...RAW_IDS, ...TOKENS, 'call_1796071739389'), text)
const KEYS = ['durationMs', 'started_at_ms', 'turn_id', 'approvalId', 'duration', 'secs', 'rawInput', 'timestamp']
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, text, fc.jsonValue({ maxDepth: 1 }), tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(
    fc.oneof(fc.constantFrom('sessionId', 'messageId', 'toolCallId', 'updatedAt', ...KEYS), text),
    fc.oneof(tie('value'), fc.constantFrom(1796071739389, 1796071739, 12.5, '1796071739389', UUIDS[0] ?? '')),
    {
      maxKeys: 4,
    },
  ),
}))
const rpcId = fc.oneof(fc.integer({ min: -1, max: 6 }), fc.constantFrom('1', 'a', null, 1.5))
const frame = fc.oneof(
  value,
  fc.record({ id: rpcId, result: value }),
  fc.record({ id: rpcId, method: fc.constant('x'), params: value }),
  fc.record({ method: fc.constant('$/cancel_request'), params: fc.record({ requestId: rpcId }) }),
  fc.record({ result: fc.record({ sessionId: id, messageId: id, toolCallId: id, text }) }),
)
const frames = fc.array(
  frame.map((frame) => JSON.stringify(frame)),
  { maxLength: 6 },
)
const requestIds = fc.option(fc.uniqueArray(fc.constantFrom(0, 1, 2, 3, 10, 'a', '1')), { nil: undefined })
const volatile: fc.Arbitrary<Volatile> = fc.record({
  paths: fc.constant(paths),
  requestIds,
  tempRoots: fc.constantFrom([], ['/tmp', '/var/tmp']),
  dataPaths: fc.constantFrom([], ['/tmp/foo-a1B2c3', '/tmp/0123456789abcdef']),
  rules: fc.constantFrom(undefined, { on: ['agent-version'] }),
})

const RUNS = { numRuns: 1500 }

test('normalising a transcript twice changes nothing, whether the volatile values are still known or not', () => {
  fc.assert(
    fc.property(frames, volatile, (frames, volatile) => {
      const once = normalizeTranscript(['{"sessionId":"s"}', ...frames], volatile)
      expect(normalizeTranscript(once, volatile)).toEqual(once)
      expect(normalizeTranscript(once)).toEqual(once)
    }),
    RUNS,
  )
})

test('normalising a transcript without a session twice changes nothing', () => {
  const frame = fc.oneof(
    fc.record({ id: rpcId, result: fc.constant(null) }),
    fc.record({ id: rpcId, method: fc.constant('x') }),
    text,
  )
  fc.assert(
    fc.property(fc.array(frame.map((frame) => JSON.stringify(frame))), (frames) => {
      const once = normalizeTranscript(frames, { paths })
      expect(normalizeTranscript(once, { paths })).toEqual(once)
    }),
    RUNS,
  )
})

test('normalising session logs twice changes nothing', () => {
  const header = fc.record(
    {
      type: fc.constant('session'),
      id,
      parentSession: id,
      createdAt: fc.nat(),
      cwd: fc.constantFrom(...PATHS, ...TOKENS),
    },
    { requiredKeys: ['type', 'id'] },
  )
  const event = fc.record({ type: fc.constantFrom('x', 'request/header'), time: fc.nat(), data: value })
  const log = fc
    .tuple(header, fc.array(event, { maxLength: 4 }))
    .map(([header, events]) => [header, ...events].map((line) => `${JSON.stringify(line)}\n`).join(''))
  const known: fc.Arbitrary<Volatile> = fc.constantFrom(
    {},
    { paths },
    { paths: { tmp: ['/tmp'] } },
    { tempRoots: ['/tmp', '/var/tmp'] },
  )
  fc.assert(
    fc.property(fc.array(log, { maxLength: 3 }), known, (logs, known) => {
      const once = normalizeSessionLogs(logs, known)
      expect(normalizeSessionLogs(once, known)).toEqual(once)
      expect(normalizeSessionLogs(once)).toEqual(once)
    }),
    RUNS,
  )
})

test('two different ids never become one, raw ids and tokens mixed', () => {
  const ids = fc.uniqueArray(fc.oneof(id, fc.uuid(), fc.string({ minLength: 1 })).filter((id) => id !== ''))
  fc.assert(
    fc.property(ids, text, (ids, text) => {
      const frames = ids.map((sessionId) => JSON.stringify({ sessionId, text }))
      const seen = normalizeTranscript(frames, { paths }).map((frame) => Object.values(JSON.parse(frame) as object)[0])
      expect(new Set(seen).size).toBe(ids.length)
      const logs = ids.map((id) => JSON.stringify({ type: 'session', id, text }))
      const headers = normalizeSessionLogs(logs, { paths }).map((log) => (JSON.parse(log) as { id: string }).id)
      expect(new Set(headers).size).toBe(ids.length)
    }),
    RUNS,
  )
})

test('two different JSON-RPC ids never become one', () => {
  const ids = fc.uniqueArray(fc.oneof(rpcId, fc.integer(), fc.string()), { selector: (id) => JSON.stringify(id) })
  fc.assert(
    fc.property(ids, requestIds, fc.constantFrom('s', '{{sessionId}}'), (ids, requestIds, sessionId) => {
      const frames = ids.map((id) => JSON.stringify({ id, result: { sessionId } }))
      const seen = normalizeTranscript(frames, { requestIds }).map((frame) => (JSON.parse(frame) as { id: unknown }).id)
      expect(new Set(seen).size).toBe(ids.length)
    }),
    RUNS,
  )
})

test('a value without an id and a known path stays, byte for byte', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (json) => {
      fc.pre(
        !/sessionId|messageId|toolCallId|updatedAt|tmp|At|_at|timestamp|[dD]uration|turn|approval|127|localhost/.test(
          json,
        ),
      )
      const frame = `{"params":${json}}`
      expect(normalizeTranscript([frame], { paths })).toEqual([frame])
    }),
    RUNS,
  )
})

test('keys keep their order and their count', () => {
  const keysOf = (value: unknown): number[] =>
    typeof value === 'object' && value !== null
      ? [Object.keys(value).length, ...Object.values(value).flatMap(keysOf)]
      : []
  fc.assert(
    fc.property(value, (value) => {
      const [normalized = ''] = normalizeTranscript([JSON.stringify(value)], { paths })
      expect(keysOf(JSON.parse(normalized))).toEqual(keysOf(JSON.parse(JSON.stringify(value))))
    }),
    RUNS,
  )
})

test('two different ports, and two different names in a temp directory, never become one', () => {
  const ports = fc.uniqueArray(fc.integer({ min: 32_768, max: 65_535 }), { maxLength: 5 })
  const names = fc.uniqueArray(fc.uuid(), { maxLength: 5 })
  fc.assert(
    fc.property(ports, names, text, (ports, names, text) => {
      const frames = [
        ...ports.map((port) => `127.0.0.1:${port}`),
        ...names.map((name) => `/tmp/shot_${name}.jpg`),
        text,
      ]
      const seen = normalizeTranscript(
        frames.map((text) => JSON.stringify({ text })),
        { tempRoots: ['/tmp'] },
      ).slice(0, ports.length + names.length)
      expect(new Set(seen).size).toBe(ports.length + names.length)
      expect(seen.join('\n')).not.toMatch(/\d{5}|[\da-f]{8}/)
    }),
    RUNS,
  )
})
