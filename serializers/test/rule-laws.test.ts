import * as fc from 'fast-check'
import {
  type AddedRule,
  BUILT_IN_RULES,
  type NormalizeRules,
  normalizeSessionLogs,
  normalizeText,
  normalizeTranscript,
  sourcesOfLines,
  type Volatile,
} from 'jest-serializer-acp'

const UUID = '9e94b313-fd99-4c90-9066-757ba290d833'
const PARTS = [
  ...['build-0123abcd', 'build-89abcdef', 'took 5s', 'took 61s', '$0.12', '1.2.3', UUID, 's1', 'session-1'],
  ...['/tmp/x', '/tmp/x/a', '127.0.0.1:54321', '/tmp/shot_0123456789abcdef', '1796071739389'],
  ...['{{cwd}}', '{{build}}', '{{build.2}}', '{{cost}}', '{{took.3}}', '{{sessionId}}', '{{', '}}', '{'],
  ...['', ' ', 'x', '0', '-', '/', '\n', 'é'],
]
const text = fc.array(fc.constantFrom(...PARTS), { maxLength: 7 }).map((parts) => parts.join(''))

const PATTERNS = [
  ...[
    'build-[0-9a-f]{8}',
    '(?<=took )\\d+(?=s)',
    'took .*',
    '.{7}',
    '^\\d+$',
    '\\S+',
    'x',
    '\\{',
    'c?w?d?\\}\\}',
    'o+',
  ],
  ...['[a-z{}]+', '[^{}]{2,}', '(?<=\\})[^]', '(?<!\\d)\\d+', '\\bs', '$|.', '(?=x)|y'],
]
const POINTERS = [
  ...['/params/update/_meta/*/cost', '/params/update/title', '/**/cost', '/*/update/**/n', '/params/update/content'],
  ...[
    '/params/update/content/text',
    '/result',
    '/**/sessionId',
    '/**/id',
    '/**/a~1b',
    '/data/*',
    '/data/list/1',
    '/**/*',
  ],
]
const token = fc.constantFrom('build', 'took', 'cost')
const added: fc.Arbitrary<AddedRule> = fc.oneof(
  fc.record({
    name: fc.string(),
    token,
    match: fc.constantFrom(...PATTERNS),
    flags: fc.constantFrom(undefined, 'i', 's', 'u', 'm'),
  }),
  fc.record({ name: fc.string(), token, at: fc.constantFrom(...POINTERS), number: fc.constantFrom(undefined, true) }),
)
const KINDS = ['available_commands_update', 'usage_update', 'tool_call_update']
const names = BUILT_IN_RULES.map(({ name }) => name)
const rules: fc.Arbitrary<NormalizeRules> = fc.record({
  off: fc.subarray(names, { maxLength: 3 }),
  on: fc.subarray(names.filter((name) => BUILT_IN_RULES.some((rule) => rule.name === name && !rule.byDefault))),
  add: fc.array(added, { maxLength: 3 }),
  unordered: fc.subarray(KINDS),
})
const volatile: fc.Arbitrary<Volatile> = fc
  .record({
    rules,
    paths: fc.constant({ cwd: ['/tmp/x'], tmp: ['/tmp/x/tmp'] }),
    tempRoots: fc.constant(['/tmp']),
    requestIds: fc.constantFrom(undefined, [1, 2, 3]),
    opened: fc.constantFrom(undefined, [{ id: 2, sessionId: 's1' }]),
  })
  .map(({ opened, ...known }) => ({ ...known, ...(known.requestIds && { opened }) }))

const value = fc.oneof(text, fc.constantFrom(0, 5, 1.5, true, null))
const details = fc.dictionary(
  fc.oneof(fc.constantFrom('cost', 'n', 'a/b', 'id', 'list', 'durationMs', 'createdAt', 'inputTokens', '/tmp/x'), text),
  fc.oneof(value, fc.array(value, { maxLength: 3 }), fc.record({ cost: value, n: value })),
  { maxKeys: 3 },
)
const sessionId = fc.constantFrom('s1', 'session-1', UUID, '{{sessionId}}', '{{sessionId.2}}')
const chunk = fc.record(
  {
    sessionUpdate: fc.constantFrom('agent_message_chunk', 'agent_thought_chunk'),
    content: text.map((text) => ({ type: 'text', text })),
    messageId: fc.constantFrom('m1', UUID),
  },
  { requiredKeys: ['sessionUpdate', 'content'] },
)
const update = fc.record(
  { sessionUpdate: fc.constantFrom(...KINDS), title: text, used: fc.nat(9), _meta: details },
  { requiredKeys: ['sessionUpdate'] },
)
const frame = fc.oneof(
  fc.record({ id: fc.nat(4), result: fc.constantFrom({ protocolVersion: 1, agentInfo: { version: '1.2.3' } }) }),
  fc.record({ id: fc.nat(4), result: fc.oneof(fc.record({ sessionId }), details, fc.constant(null)) }),
  fc.record({ id: fc.nat(4), method: fc.constant('fs/read_text_file'), params: fc.record({ sessionId, path: text }) }),
  fc.record({
    method: fc.constant('session/update'),
    params: fc.record({ sessionId, update: fc.oneof(chunk, update) }),
  }),
)
const frames = fc.array(
  frame.map((frame) => JSON.stringify(frame)),
  { maxLength: 9 },
)

const RUNS = { numRuns: 1000 }

test('normalising a transcript twice changes nothing, with any rules', () => {
  fc.assert(
    fc.property(frames, volatile, (frames, volatile) => {
      const once = normalizeTranscript(['{"id":1,"result":{"sessionId":"s1"}}', ...frames], volatile)
      expect(normalizeTranscript(once, volatile)).toEqual(once)
    }),
    RUNS,
  )
})

test('normalising a session log twice changes nothing, with any rules', () => {
  const event = fc.record({
    type: fc.constantFrom('x', 'request/header'),
    seq: fc.nat(9),
    time: fc.nat(),
    data: details,
  })
  const delta = fc.record({ type: fc.constant('text-delta'), index: fc.nat(1), text })
  const streamed = fc.record({
    type: fc.constant('assistant/chunk'),
    data: fc.record({ turn: fc.constant(1), step: fc.constant(1), chunk: delta }),
  })
  const log = fc
    .array(fc.oneof(event, streamed), { maxLength: 6 })
    .map((events) => [{ type: 'session', id: 's1', createdAt: 5, cwd: '/tmp/x' }, ...events])
    .map((lines) => lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  fc.assert(
    fc.property(fc.array(log, { maxLength: 2 }), volatile, (logs, volatile) => {
      const once = normalizeSessionLogs(logs, volatile)
      expect(normalizeSessionLogs(once, volatile)).toEqual(once)
      expect(once.map((log) => log.split('\n').length)).toEqual(logs.map((log) => log.split('\n').length))
    }),
    RUNS,
  )
})

test('normalising a text twice changes nothing, with any rules', () => {
  fc.assert(
    fc.property(text, volatile, (text, volatile) => {
      const once = normalizeText(text, volatile)
      expect(normalizeText(once, volatile)).toBe(once)
    }),
    RUNS,
  )
})

test('tokens stay, with any added patterns and with any rules off', () => {
  const tokens = fc.array(fc.constantFrom('{{cwd}}', '{{build}}', '{{build.2}}', '{{sessionId}}', '{{cwd:relative}}'), {
    minLength: 1,
    maxLength: 5,
  })
  fc.assert(
    fc.property(tokens, volatile, (tokens, volatile) => {
      expect(normalizeText(tokens.join(''), volatile)).toBe(tokens.join(''))
      const seen = normalizeText(tokens.join(' x1 '), volatile).match(/\{\{[\w:.]+\}\}/g) ?? []
      expect(seen).toEqual(expect.arrayContaining(tokens))
    }),
    RUNS,
  )
})

test('each frame is a source of one line, or was dropped as a repetition into one', () => {
  fc.assert(
    fc.property(frames, volatile, (frames, volatile) => {
      const sources = sourcesOfLines(frames, volatile)
      expect(sources).toHaveLength(normalizeTranscript(frames, volatile).length)
      expect(sources.flat().sort((a, b) => a - b)).toEqual(frames.map((_, i) => i))
    }),
    { numRuns: 500 },
  )
})

test('how the agent cuts a message into chunks makes no difference under the rule chunks', () => {
  const say = (text: string) =>
    JSON.stringify({
      method: 'session/update',
      params: { sessionId: 's1', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
    })
  const cuts = fc.array(fc.nat(80), { maxLength: 6 })
  const whole = (text: string, cuts: readonly number[]) => {
    const borders = [0, ...cuts.map((at) => Math.min(at, text.length)).sort((a, b) => a - b), text.length]
    return borders.slice(1).map((end, i) => say(text.slice(borders[i], end)))
  }
  const tail = say('/tmp/shot_fedcba9876543210 127.0.0.1:60000 build-00000000').replace(
    'agent_message',
    'agent_thought',
  )
  fc.assert(
    fc.property(text, cuts, cuts, volatile, (text, a, b, { rules, ...known }) => {
      const add = rules?.add?.filter(({ match }) => match !== undefined)
      const volatile = { ...known, rules: { ...rules, add, on: ['chunks'] } }
      const [one, other] = [a, b].map((cuts) => normalizeTranscript([...whole(text, cuts), tail], volatile))
      expect(one).toEqual(other)
    }),
    RUNS,
  )
})
