import { explainSessionLogs, explainTranscript, formatReplacements, unusedRules } from 'jest-serializer-acp'

const ID = '9e94b313-fd99-4c90-9066-757ba290d833'
const update = (update: object) => ({ method: 'session/update', params: { sessionId: ID, update } })
const say = (text: string) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
const usage = update({ sessionUpdate: 'usage_update', used: 12 })

const rules = {
  on: ['agent-version', 'token-counts', 'chunks', 'repeated-updates'],
  unordered: ['available_commands_update'],
  add: [
    { name: 'build', match: 'build-[0-9a-f]{8}', token: 'it' },
    { name: 'word', match: 'wörd \\w+', token: 'it' },
    { name: 'cost', at: '/params/update/price', token: 'it' },
    { name: 'never', match: 'never', token: 'never' },
  ],
}
const volatile = { rules, paths: { cwd: ['/work/x'] }, tempRoots: ['/tmp'] }
const FRAMES = [
  { id: 0, result: { protocolVersion: 1, agentInfo: { version: '1.2.3' } } },
  { id: 1, result: { sessionId: ID, createdAt: 1796071739389, updatedAt: '2026-12-03T01:02:03Z', durationMs: 3 } },
  say('at /wo'),
  say('rk/x'),
  usage,
  usage,
  update({ sessionUpdate: 'available_commands_update', url: 'localhost:54321 /tmp/shot_0123456789abcdef' }),
  update({ sessionUpdate: 'tool_call', price: { eur: 1 }, '/work/x/y': 'build-01234567 in /work/x, wörd one' }),
]

function explained() {
  return explainTranscript({ frames: FRAMES.map((frame) => JSON.stringify(frame)), volatile })
}

test('each replacement has its rule, its place in the golden, and the texts before and after', () => {
  const told = explained().map(({ rule, line, pointer, before, after }) =>
    [rule, line, pointer, before, after].join(' | '),
  )
  expect(told.filter((line) => !line.includes('/params/sessionId'))).toEqual([
    'rpc-ids | 1 | /id | 0 | 1',
    'agent-version | 1 | /result/agentInfo/version | 1.2.3 | {{agentVersion}}',
    'rpc-ids | 2 | /id | 1 | 2',
    `ids | 2 | /result/sessionId | ${ID} | {{sessionId}}`,
    'clocks | 2 | /result/createdAt | 1796071739389 | 0',
    'clocks | 2 | /result/updatedAt | 2026-12-03T01:02:03Z | {{time}}',
    'durations | 2 | /result/durationMs | 3 | 0',
    'unordered | 3 |  | frame 7 | frame 3',
    'ports | 3 | /params/update/url | 54321 | {{port}}',
    'temp-names | 3 | /params/update/url | 0123456789abcdef | {{tempName}}',
    'paths | 4 | /params/update/content/text | at /wo | at {{cwd}}',
    'streamed text | 4 | /params/update/content/text | rk/x | ',
    'chunks | 4 |  | 2 chunks | 1 chunk',
    'token-counts | 5 | /params/update/used | 12 | 0',
    'token-counts | 5 | /params/update/used | 12 | 0',
    'repeated-updates | 5 |  | 2 identical updates | 1 identical update',
    'cost | 6 | /params/update/price | {"eur":1} | {{it}}',
    'paths | 6 | /params/update/{{cwd}}~1y | /work/x | {{cwd}}',
    'build | 6 | /params/update/{{cwd}}~1y | build-01234567 | {{it.2}}',
    'paths | 6 | /params/update/{{cwd}}~1y | /work/x | {{cwd}}',
    'word | 6 | /params/update/{{cwd}}~1y | wörd one | {{it.3}}',
  ])
})

test('the replacements in a session log name the log and the line', () => {
  const log = [
    { type: 'session', id: ID, createdAt: 5 },
    { type: 'request/header', seq: 0, time: 6, data: { header: { system: 'S', tools: [] } } },
  ]
  const logs = ['{"type":"x"}', log.map((line) => JSON.stringify(line)).join('\n')]
  expect(explainSessionLogs({ logs, volatile: {} })).toEqual([
    { rule: 'ids', log: 2, line: 1, pointer: '/id', before: ID, after: '{{sessionId}}' },
    { rule: 'clocks', log: 2, line: 1, pointer: '/createdAt', before: '5', after: '0' },
    { rule: 'clocks', log: 2, line: 2, pointer: '/time', before: '6', after: '0' },
    { rule: 'request-headers', log: 2, line: 2, pointer: '/data/header/system', before: 'S', after: '{{system}}' },
    { rule: 'request-headers', log: 2, line: 2, pointer: '/data/header/tools', before: '[]', after: '{{tools}}' },
  ])
})

test('what is normalised has no replacement, and text that stays has none', () => {
  expect(explainTranscript({ frames: ['{"a":"{{cwd}}","id":1}'], volatile: { rules } })).toEqual([])
})

test('the list is printed by rule, each value once, and without secrets', () => {
  const secret = `sk-${'x'.repeat(200)}`
  const replacements = [
    ...explained().filter(({ rule }) => rule === 'ids'),
    { rule: 'build', line: 9, pointer: '/a', before: secret, after: '{{build}}' },
    { rule: 'build', log: 1, line: 4, pointer: '', before: `${'y'.repeat(70)}${secret}`, after: '{{build}}' },
  ]
  expect(formatReplacements(replacements, (text) => text.replace(secret, '[redacted]'))).toEqual([
    'ids: 7 replacements',
    `  "${ID}" → "{{sessionId}}": frame 2 /result/sessionId; frame 3 /params/sessionId; frame 4 /params/sessionId; and 4 more`,
    'build: 2 replacements',
    '  "[redacted]" → "{{build}}": frame 9 /a',
    `  "${'y'.repeat(70)}[redacted]" → "{{build}}": session log 1, line 4`,
  ])
})

test('an added rule is unused if it replaced nothing in any run', () => {
  const all = explained()
  expect(unusedRules(rules, [[], all])).toEqual(['never'])
  expect(unusedRules(rules, [all.filter(({ rule }) => rule !== 'cost' && rule !== 'unordered')])).toEqual([
    'cost',
    'never',
    'unordered',
  ])
  expect(unusedRules({}, [])).toEqual([])
})
