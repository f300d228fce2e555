import { normalizeSessionLogs, normalizeTranscript } from 'jest-serializer-acp'
import { normalize } from './support.ts'

const A = '9e94b313-fd99-4c90-9066-757ba290d833'
const B = 'a9282055-3295-44a5-9f32-57a80cc84f38'

describe('durations', () => {
  test.each([
    'durationMs',
    'duration_ms',
    'totalDurationMs',
    'elapsedMs',
    'elapsed_seconds',
    'latencyMs',
    'tookMs',
    'wallTimeMs',
  ])('a number at %s is 0', (key) => expect(normalize([{ [key]: 9.5 }])).toEqual([{ [key]: 0 }]))

  test('the parts of one are 0', () => {
    const frame = { duration: { secs: 1, nanos: 5 }, other: { secs: 1 } }
    expect(normalize([frame])).toEqual([{ duration: { secs: 0, nanos: 0 }, other: { secs: 1 } }])
  })

  test('stay without a unit, as text, with a unit that means something else, and where the model asks for one', () => {
    const frame = { duration: 5, durations: 3, timeoutMs: 5, delayMs: 5, durationMs: '5', rawInput: { durationMs: 5 } }
    expect(normalize([frame])).toEqual([frame])
  })
})

describe('clocks', () => {
  test('a number at a key of a moment is 0, and a text is a token', () => {
    const rawInput = { started_at_ms: 1796071739389, createdAt: 1796071739, timestamp: 1796071739389.5, sent_at: 'now' }
    expect(normalize([{ rawInput, startedAtMs: '1796071739389', turn_id: 1796071739389 }])).toEqual([
      {
        rawInput: { started_at_ms: 0, createdAt: 0, timestamp: 0, sent_at: 'now' },
        startedAtMs: '{{time}}',
        turn_id: 0,
      },
    ])
  })

  test('other numbers stay, and so does an epoch value at another key', () => {
    const frame = { seen_at: 5, createdAt: 12345678901, format: 1796071739389, stat: 1796071739, limit: 1796071739389 }
    expect(normalize([frame])).toEqual([frame])
  })
})

describe('ids of turns and approvals', () => {
  test('are tokens if they were generated', () => {
    const frames = [
      { rawInput: { turn_id: `turn-of-${B}`, approval_id: 'apr_0123456789abcdef' } },
      { turnId: A, approvalId: B, text: `turn ${A}` },
      { turn_id: 'turn-2', approvalId: 'call_fake1' },
    ]
    expect(normalize(frames)).toEqual([
      { rawInput: { turn_id: '{{turnId}}', approval_id: '{{approvalId}}' } },
      { turnId: '{{turnId.2}}', approvalId: '{{approvalId.2}}', text: 'turn {{turnId.2}}' },
      { turn_id: 'turn-2', approvalId: 'call_fake1' },
    ])
  })

  test('are tokens in a session log, which can still be parsed', () => {
    const log = [
      { type: 'session', id: 's', createdAt: 5 },
      { type: 'approval/request', seq: 0, time: 5, data: { approvalId: A, callId: B, durationMs: 3 } },
      { type: 'approval/answer', seq: 1, time: 5, data: { approvalId: A, askedAt: 1796071739389 } },
    ]
    const [text = ''] = normalizeSessionLogs([log.map((line) => JSON.stringify(line)).join('\n')])
    expect(
      text
        .trim()
        .split('\n')
        .slice(1)
        .map((line): unknown => JSON.parse(line).data),
    ).toEqual([
      { approvalId: '{{approvalId}}', callId: B, durationMs: 0 },
      { approvalId: '{{approvalId}}', askedAt: 0 },
    ])
  })
})

describe('ports', () => {
  test('that the system chose are tokens after a loopback host', () => {
    const text =
      'http://127.0.0.1:54321/a localhost:40000, [::1]:54321 0.0.0.0:60000. "\\nlocalhost:40000" localhost%3A40000'
    expect(normalize([text])).toEqual([
      'http://127.0.0.1:{{port}}/a localhost:{{port.2}}, [::1]:{{port}} 0.0.0.0:{{port.3}}. "\\nlocalhost:{{port.2}}" localhost%3A{{port.2}}',
    ])
  })

  test('that were chosen stay, and so do other hosts and longer numbers', () => {
    const text =
      'localhost:3000 127.0.0.1:8080 localhost:10000 127.0.0.1:32767 127.0.0.1:65536 127.0.0.1:543210 10.0.0.1:54321 mylocalhost:54321 my-localhost:54321 1127.0.0.1:54321 localhost:5432x'
    expect(normalize([text])).toEqual([text])
  })
})

describe('names in a temp directory', () => {
  const tempRoots = ['/tmp', '/var/tmp']
  const normalizeName = (text: string, dataPaths?: string[]) => normalize([text], { tempRoots, dataPaths })[0]

  test.each([
    [`/tmp/shot_${A}.jpg`, '/tmp/shot_{{tempName}}.jpg'],
    [`/private/tmp/${A}/a.txt`, '/private/tmp/{{tempName}}/a.txt'],
    [`file:///tmp/${A}-${B}`, 'file:///tmp/{{tempName}}-{{tempName.2}}'],
    [`{"p":"\\/tmp\\/shot_${A}.jpg"}`, '{"p":"\\/tmp\\/shot_{{tempName}}.jpg"}'],
    ['/tmp/shot-1796071739389.png', '/tmp/shot-{{tempName}}.png'],
    ['/var/tmp/0123456789abcdef.log', '/var/tmp/{{tempName}}.log'],
    ['/tmp/shot-1796071739.png', '/tmp/shot-{{tempName}}.png'],
    ['/tmp/foo-a1B2c3', '/tmp/foo-{{tempName}}'],
    ['in /tmp/foo-a1B2c3.', 'in /tmp/foo-{{tempName}}.'],
    ['/tmp/tmp.aB3dE5fG7h/x', '/tmp/tmp.{{tempName}}/x'],
    ['/tmp/tmpk3j_x9ab.txt', '/tmp/tmp{{tempName}}.txt'],
  ])('have a token instead of the random part: %s', (text, expected) => {
    expect(normalizeName(text)).toBe(expected)
  })

  // What is random at the end of a name is not at its end when the name goes on, also in a token.
  test.each([
    [`/tmp/tmpab_1cdef+${A}`, '/tmp/tmpab_1cdef+{{tempName}}'],
    [`/tmp/foo-a1B2c3-${A}.txt`, '/tmp/foo-a1B2c3-{{tempName}}.txt'],
    [`/tmp/tmp.aB3dE5fG7h_${A}`, '/tmp/tmp.aB3dE5fG7h_{{tempName}}'],
    [`/tmp/${A}-a1B2c3_x`, '/tmp/{{tempName}}-a1B2c3_x'],
    ['/tmp/foo-a1B2c3@{{sessionId}}', '/tmp/foo-a1B2c3@{{sessionId}}'],
  ])('read the same when they are normalised again: %s', (text, expected) => {
    expect(normalizeName(text)).toBe(expected)
    expect(normalizeName(expected)).toBe(expected)
  })

  test.each([
    '/tmp/out.txt',
    '/tmp/my-report',
    '/tmp/a-README',
    '/tmp/data-2024',
    '/tmp/acp-0123456789ab/cwd',
    `/tmp/dir/shot_${A}.jpg`,
    `src/tmp/shot_${A}.jpg`,
    `shot_${A}.jpg`,
  ])('stay: %s', (text) => expect(normalizeName(text)).toBe(text))

  test('stay where they are data', () => {
    expect(normalizeName('/tmp/foo-a1B2c3/x /tmp/foo-a1B2c4', ['/tmp/foo-a1B2c3'])).toBe(
      '/tmp/foo-a1B2c3/x /tmp/foo-{{tempName}}',
    )
  })

  test("in the run's own temp directory are the same", () => {
    const paths = { tmp: ['/tmp/acp-0123456789ab/tmp'] }
    const text = `/tmp/acp-0123456789ab/tmp/shot_${A}.jpg /tmp/acp-0123456789ab/tmp/out.txt`
    expect(normalize([text], { paths, tempRoots })).toEqual(['{{tmp}}/shot_{{tempName}}.jpg {{tmp}}/out.txt'])
  })
})

describe("the agent's own version", () => {
  const initialized = { id: 1, result: { protocolVersion: 1, agentInfo: { name: 'a', version: '1.2.3' } } }
  const other = { id: 2, result: { agentInfo: { version: '1.2.3' } }, text: '1.2.3' }

  test('stays', () => expect(normalize([initialized, other])).toEqual([initialized, other]))

  test('is a token if the option is on, only in the answer to initialize', () => {
    const [first = '', ...rest] = normalizeTranscript(
      [initialized, other].map((frame) => JSON.stringify(frame)),
      { rules: { on: ['agent-version'] } },
    )
    expect(JSON.parse(first).result.agentInfo).toEqual({ name: 'a', version: '{{agentVersion}}' })
    expect(rest).toEqual([JSON.stringify(other)])
  })
})

test.each([
  ['a port before an id', 'localhost:40000.1796071739389', 'localhost:{{port}}.{{toolCallId}}'],
  ['a port before a path', 'localhost:40000.1796071739389/tmp/x', 'localhost:{{port}}.{{toolCallId}}/tmp/x'],
  [
    'a name that goes on in an id',
    '/tmp/acp-0123456789ab/tmp/s1/1796071739389',
    '/tmp/acp-0123456789ab/tmp/s1/{{toolCallId}}',
  ],
])('a match next to a new token is found in the same run: %s', (_, text, expected) => {
  const volatile = { tempRoots: ['/tmp'] }
  const once = normalize([{ toolCallId: '1796071739389', text }], volatile)
  expect(once).toEqual([{ toolCallId: '{{toolCallId}}', text: expected }])
  expect(normalize(once, volatile)).toEqual(once)
})

describe('a port that the run gave to the agent', () => {
  const ports = [17_001, 17_002]
  const golden = (value: object) => JSON.parse(normalizeTranscript([JSON.stringify(value)], { ports })[0] ?? '')

  test.each([
    ['http://localhost:17001/a', 'http://localhost:{{port}}/a'],
    ['on port 17002.', 'on port {{port.2}}.'],
    ['host%3A17001', 'host%3A{{port}}'],
    ['17001,17002', '{{port}},{{port.2}}'],
    ['a17001 117001 170010 17001.5 1.17001', 'a17001 117001 170010 17001.5 1.17001'],
  ])('is a token as a whole number: %s', (text, expected) => {
    expect(golden({ text })).toEqual({ text: expected })
  })

  test('is a token as a number, at a key that names a port', () => {
    expect(golden({ port: 17_001, a: [{ serverPort: 17_002 }], used: 17_001, ports: 1 })).toEqual({
      port: '{{port}}',
      a: [{ serverPort: '{{port.2}}' }],
      used: 17_001,
      ports: 1,
    })
  })

  test('stays as it is without the rule, also at a key and in a log', () => {
    const volatile = { ports, rules: { off: ['ports'] } }
    const frame = JSON.stringify({ port: 17_001, text: 'http://localhost:17001/' })
    expect(normalizeTranscript([frame], volatile)).toEqual([frame])
    const log = `${JSON.stringify({ type: 'x', data: { port: 17_001, text: 'port 17001' } })}\n`
    expect(normalizeSessionLogs([log], volatile)).toEqual([log])
  })

  test('keeps its number; a port that the system chose gets the next one', () => {
    const text = 'http://localhost:40000/ http://localhost:17002/ http://localhost:17001/'
    expect(golden({ text })).toEqual({
      text: 'http://localhost:{{port.3}}/ http://localhost:{{port.2}}/ http://localhost:{{port}}/',
    })
  })

  test('is a token in a log too', () => {
    const log = `${JSON.stringify({ type: 'x', data: { port: 17_001, text: 'port 17001' } })}\n`
    const [once = ''] = normalizeSessionLogs([log], { ports })
    expect(JSON.parse(once).data).toEqual({ port: '{{port}}', text: 'port {{port}}' })
    expect(normalizeSessionLogs([once], { ports })).toEqual([once])
  })
})
