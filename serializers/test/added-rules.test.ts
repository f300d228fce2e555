import {
  BUILT_IN_RULES,
  type NormalizeRules,
  normalizeSessionLogs,
  normalizeText,
  normalizeTranscript,
  ruleProblems,
  sourcesOfLines,
} from 'jest-serializer-acp'
import { expectLinear, normalize } from './support.ts'

const update = (update: object, sessionId = 's1') => ({ method: 'session/update', params: { sessionId, update } })
const say = (text: string, more: object = {}) =>
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, ...more })
const textOf = (frame: unknown) =>
  (frame as { params: { update: { content: { text: string } } } }).params.update.content.text

describe('rules that are off or on by name', () => {
  const UUID = '9e94b313-fd99-4c90-9066-757ba290d833'
  const result = {
    ...{ sessionId: UUID, durationMs: 5, createdAt: 1796071739389, cwd: '/work/x', updatedAt: '2026-12-03T01:02:03Z' },
    ...{ url: 'localhost:54321', shot: `/tmp/shot_${UUID}.png`, usage: { totalTokens: 12, maxTokens: 99 } },
  }
  const frame = { id: 7, result: { protocolVersion: 1, agentInfo: { version: '1.2.3' }, ...result } }
  const normalized = (rules: NormalizeRules) => {
    const volatile = { rules, paths: { cwd: ['/work/x'] }, tempRoots: ['/tmp'] }
    return normalize([frame], volatile)[0] as typeof frame
  }
  const byDefault = normalized({})

  test.each<[string, (changed: typeof frame) => void]>([
    ['ids', ({ result }) => Object.assign(result, { sessionId: UUID })],
    ['rpc-ids', (frame) => Object.assign(frame, { id: 7 })],
    ['paths', ({ result }) => Object.assign(result, { cwd: '/work/x' })],
    ['temp-names', ({ result }) => Object.assign(result, { shot: `/tmp/shot_${UUID}.png` })],
    ['ports', ({ result }) => Object.assign(result, { url: 'localhost:54321' })],
    ['clocks', ({ result }) => Object.assign(result, { createdAt: 1796071739389, updatedAt: '2026-12-03T01:02:03Z' })],
    ['durations', ({ result }) => Object.assign(result, { durationMs: 5 })],
  ])('%s can be turned off, and nothing else changes', (name, change) => {
    const expected = structuredClone(byDefault)
    change(expected)
    expect(normalized({ off: [name] })).toEqual(expected)
    expect(expected).not.toEqual(byDefault)
  })

  test('agent-version and token-counts can be turned on', () => {
    expect(normalized({ on: ['agent-version', 'token-counts'] }).result).toEqual({
      ...byDefault.result,
      agentInfo: { version: '{{agentVersion}}' },
      usage: { totalTokens: 0, maxTokens: 99 },
    })
  })

  test('request-headers and clocks can be turned off in a log', () => {
    const log = [
      '{"type":"session","id":"s","createdAt":5}',
      '{"type":"request/header","time":6,"data":{"header":{"system":"S"}}}',
    ]
    const text = log.map((line) => `${line}\n`).join('')
    expect(normalizeSessionLogs([text], { rules: { off: ['clocks', 'request-headers', 'ids'] } })).toEqual([text])
  })

  test('each rule has a name, and a test here or in rules.test.ts turns it off or on', () => {
    expect(BUILT_IN_RULES.map(({ name }) => name)).toEqual([
      ...['ids', 'rpc-ids', 'paths', 'temp-names', 'ports', 'clocks', 'durations', 'request-headers'],
      ...['agent-version', 'token-counts', 'chunks', 'repeated-updates'],
    ])
  })
})

describe('token-counts', () => {
  test('are 0 where the key counts tokens or is a cost, also in a session log', () => {
    const usage = {
      inputTokens: 1,
      output_tokens: 2,
      token_count: { total_tokens: 3 },
      costUsd: 0.1,
      cost: { amount: 1 },
    }
    const zeros = {
      inputTokens: 0,
      output_tokens: 0,
      token_count: { total_tokens: 0 },
      costUsd: 0,
      cost: { amount: 0 },
    }
    const rules = { on: ['token-counts'] }
    expect(normalize([{ usage }], { rules })).toEqual([{ usage: zeros }])
    const [log = ''] = normalizeSessionLogs([JSON.stringify({ type: 'x', data: { usage } })], { rules })
    expect(JSON.parse(log).data.usage).toEqual(zeros)
  })

  test('are used and size of a usage_update alone', () => {
    const usage = { sessionUpdate: 'usage_update', used: 5, size: 9 }
    expect(normalize([update(usage), { used: 5, size: 9 }], { rules: { on: ['token-counts'] } })).toEqual([
      update({ ...usage, used: 0, size: 0 }, '{{sessionId}}'),
      { used: 5, size: 9 },
    ])
  })

  test('are not limits, texts, or in the input of a tool', () => {
    const frame = { maxTokens: 5, max_output_tokens: 5, tokenLimit: 5, tokens: '5', rawInput: { tokens: 5 }, amount: 5 }
    expect(normalize([frame], { rules: { on: ['token-counts'] } })).toEqual([frame])
  })
})

describe('an added pattern', () => {
  const rules = { add: [{ name: 'build', match: 'build-[0-9a-f]{8}', token: 'build' }] }

  test('gives each different match its own token, in frames, keys, logs and other texts', () => {
    const frame = { text: 'build-00000001, build-00000002 and build-00000001', map: { 'a/build-00000002': 1 } }
    const expected = { text: '{{build}}, {{build.2}} and {{build}}', map: { 'a/{{build.2}}': 1 } }
    expect(normalize([frame], { rules })).toEqual([expected])
    expect(normalizeSessionLogs([JSON.stringify({ type: 'x', data: frame })], { rules })).toEqual([
      `${JSON.stringify({ type: 'x', data: expected })}\n`,
    ])
    expect(normalizeText(frame.text, { rules })).toBe(expected.text)
  })

  test('leaves the numbers of tokens that are there already', () => {
    expect(normalize(['{{build}} {{build.2}} build-00000001'], { rules })).toEqual([
      '{{build}} {{build.2}} {{build.3}}',
    ])
  })

  test('is found across the chunks of a message', () => {
    expect(
      normalize(
        ['in build-00', '0000', '01.'].map((text) => say(text)),
        { rules },
      ).map(textOf),
    ).toEqual(['in {{build}}', '', '.'])
  })

  test('does not replace the words of the protocol, an id, or a part of a token', () => {
    const greedy = { add: [{ name: 'all', match: '[a-z{}]+', token: 'all' }] }
    expect(normalize([say('a {{cwd}}1')], { rules: greedy })).toEqual([
      {
        method: 'session/update',
        params: {
          sessionId: '{{sessionId}}',
          update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: '{{all}} {{cwd}}1' } },
        },
      },
    ])
  })

  test('has flags', () => {
    const rules = { add: [{ name: 'a', match: 'BUILD.', flags: 'is', token: 'a' }] }
    expect(normalizeText('build\n', { rules })).toBe('{{a}}')
  })

  test('takes time in proportion to the text, with and without tokens', () => {
    expectLinear((size) => normalizeText(`{{cwd}} ${'build-00000001 x '.repeat(size)}`, { rules }), 3000)
    expectLinear((size) => normalizeText('{{cwd}} build-00000001 '.repeat(size), { rules }), 2500)
  })

  test('leaves the number of a key that would be equal to another key', () => {
    const rules = { add: [{ name: 'n', match: '\\(\\d', token: 'n' }] }
    const volatile = { rules, paths: { cwd: ['/work/x'] } }
    const once = normalize([{ '/work/x': 1, '{{cwd}}': 2 }], volatile)
    expect(once).toEqual([{ '{{cwd}} (2)': 1, '{{cwd}}': 2 }])
    expect(normalize(once, volatile)).toEqual(once)
  })

  test('does not search a text of more than a million characters', () => {
    const text = `build-00000001${' '.repeat(1_000_000)}`
    // Not toBe: a difference of this length takes minutes to print.
    expect(normalizeText(text, { rules }) === text).toBe(true)
  })
})

describe('an added pointer', () => {
  const at = (pointer: string, more: object = {}) => ({ add: [{ name: 'x', at: pointer, token: 'x', ...more }] })

  test.each<[string, unknown, unknown]>([
    ['/params/a', { params: { a: 1, b: 1 } }, { params: { a: '{{x}}', b: 1 } }],
    ['/params/a', { params: { a: { b: [1] } } }, { params: { a: '{{x}}' } }],
    [
      '/params/*/a',
      { params: { p: { a: 'v' }, q: { a: null }, a: 1 } },
      { params: { p: { a: '{{x}}' }, q: { a: '{{x}}' }, a: 1 } },
    ],
    ['/list/1', { list: [1, 2, 3] }, { list: [1, '{{x}}', 3] }],
    ['/list/*/a', { list: [{ a: 1 }, { b: 1 }] }, { list: [{ a: '{{x}}' }, { b: 1 }] }],
    ['/**/a', { a: 1, b: { c: [{ a: true }] } }, { a: '{{x}}', b: { c: [{ a: '{{x}}' }] } }],
    [
      '/p/**/q/**/a',
      { p: { q: { a: 1 }, a: 1, r: { q: { s: { a: 2 } } } } },
      { p: { q: { a: '{{x}}' }, a: 1, r: { q: { s: { a: '{{x}}' } } } } },
    ],
    ['/a~1b/c~0d', { 'a/b': { 'c~d': 1 } }, { 'a/b': { 'c~d': '{{x}}' } }],
    ['/**/id', { id: 1, result: { id: 'a' } }, { id: 1, result: { id: '{{x}}' } }],
  ])('%s', (pointer, frame, expected) => {
    expect(normalize([frame], { rules: at(pointer) })).toEqual([expected])
  })

  test('may number different values', () => {
    const frames = [{ a: 5 }, { a: 'v' }, { a: 5 }, { a: '{{x.2}}' }]
    expect(normalize(frames, { rules: at('/a', { number: true }) })).toEqual([
      { a: '{{x}}' },
      { a: '{{x.3}}' },
      { a: '{{x}}' },
      { a: '{{x.2}}' },
    ])
  })

  test('replaces values of events in a session log, and keeps what makes it a log', () => {
    const log = [
      { type: 'session', id: 's', a: 1 },
      { type: 't', seq: 3, time: 4, data: { type: 'u', a: 1 } },
    ]
    const text = log.map((line) => `${JSON.stringify(line)}\n`).join('')
    const [a, type] = [at('/**/a'), at('/**/type')].map((rules) =>
      normalizeSessionLogs([text], { rules })[0]?.split('\n'),
    )
    expect(a?.slice(0, 2)).toEqual([
      '{"type":"session","id":"{{sessionId}}","a":1}',
      '{"type":"t","seq":3,"time":0,"data":{"type":"u","a":"{{x}}"}}',
    ])
    expect(type?.[1]).toBe('{"type":"t","seq":3,"time":0,"data":{"type":"{{x}}","a":1}}')
  })
})

describe('unordered updates', () => {
  const opened = { id: 2, result: { sessionId: 's1' } }
  const commands = update({ sessionUpdate: 'available_commands_update', availableCommands: [] })
  const usage = update({ sessionUpdate: 'usage_update', used: 1 })
  const hello = say('hello')
  const greeting = { id: 1, result: { protocolVersion: 1 } }
  const end = { id: 3, result: { stopReason: 'end_turn' } }
  const rules = { unordered: ['available_commands_update', 'usage_update'] }
  const lines = (frames: unknown[], known: object = {}) =>
    sourcesOfLines(
      frames.map((frame) => JSON.stringify(frame)),
      { rules, ...known },
    ).flat()

  test('follow the response that opened their session, in the order of the kinds', () => {
    const expected = normalize([greeting, opened, commands, usage, hello, end], { rules })
    expect(normalize([greeting, opened, hello, usage, end, commands], { rules })).toEqual(expected)
    expect(normalize([greeting, usage, commands, opened, hello, end], { rules })).toEqual(expected)
    expect(expected).toEqual(normalize([greeting, opened, commands, usage, hello, end]))
  })

  test('of one kind keep their order', () => {
    const [a, b] = ['a', 'b'].map((title) => update({ sessionUpdate: 'usage_update', title }))
    expect(lines([opened, hello, a, end, b])).toEqual([0, 2, 4, 1, 3])
  })

  test('stay in their process, after a request that opened the session again', () => {
    const loaded = { id: 3, result: {} }
    const frames = [greeting, opened, commands, { ...greeting, id: 2 }, hello, commands, loaded]
    expect(lines(frames, { opened: [{ id: 3, sessionId: 's1' }] })).toEqual([0, 1, 2, 3, 4, 6, 5])
    expect(lines(frames)).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  test('may be notifications of a vendor', () => {
    const ping = { method: '_vendor/ping', params: { sessionId: 's1' } }
    expect(lines([opened, hello, ping, { ...ping, id: 5 }], { rules: { unordered: ['_vendor/ping'] } })).toEqual([
      0, 2, 1, 3,
    ])
  })
})

describe('chunks', () => {
  const rules = { on: ['chunks'] }

  test('of one message become one frame', () => {
    const frames = [say('Hel'), say('lo, '), say('world')]
    expect(normalize(frames, { rules })).toEqual(normalize([say('Hello, world')]))
    expect(
      sourcesOfLines(
        frames.map((frame) => JSON.stringify(frame)),
        { rules },
      ),
    ).toEqual([[0, 1, 2]])
  })

  test('stay apart if anything but their text differs, or if something comes between', () => {
    const thought = update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'c' } })
    const image = update({ sessionUpdate: 'agent_message_chunk', content: { type: 'image', data: '' } })
    const frames = [
      say('a'),
      say('b', { messageId: 'm' }),
      thought,
      say('d'),
      image,
      say('e'),
      { id: 1, result: {} },
      say('f'),
    ]
    expect(normalize(frames, { rules })).toHaveLength(frames.length)
  })

  test('are joined before a path in them is looked for', () => {
    const paths = { cwd: ['/work/x'] }
    expect(
      normalize(
        ['at /work/x', 'y'].map((text) => say(text)),
        { rules, paths },
      ).map(textOf),
    ).toEqual(['at /work/xy'])
    expect(
      normalize(
        ['at /wor', 'k/x'].map((text) => say(text)),
        { rules, paths },
      ).map(textOf),
    ).toEqual(['at {{cwd}}'])
  })
})

describe('repeated-updates', () => {
  const rules = { on: ['repeated-updates'] }
  const usage = (durationMs: number) => update({ sessionUpdate: 'usage_update', durationMs })

  test('that are adjacent and equal, once normalised, become one', () => {
    expect(normalize([usage(1), usage(2), usage(3), { id: 1 }, usage(4)], { rules })).toHaveLength(3)
    expect(normalize([usage(1), usage(2)], { rules: { ...rules, off: ['durations'] } })).toHaveLength(2)
  })

  test('are not chunks, requests or responses', () => {
    const ask = { id: 1, ...usage(0) }
    const frames = [say('ha'), say('ha'), ask, ask, { id: 1, result: 1 }, { id: 1, result: 1 }]
    expect(normalize(frames, { rules })).toHaveLength(frames.length)
  })
})

describe('rules that are refused', () => {
  const pattern = (match: string, more: object = {}) => ({ add: [{ name: 'n', token: 't', match, ...more }] })
  const pointer = (at: string, more: object = {}) => ({ add: [{ name: 'n', token: 't', at, ...more }] })

  test.each<[NormalizeRules, string, RegExp]>([
    [{ off: ['duration'] }, 'off[0]', /unknown rule "duration"/],
    [{ on: ['chunks', 'x'] }, 'on[1]', /unknown rule "x"/],
    [{ on: ['chunks'], off: ['chunks'] }, 'on[0]', /is in "off" too/],
    [{ unordered: ['agent_message_chunk'] }, 'unordered[0]', /turn on "chunks"/],
    [{ add: [{ name: 'ids', token: 't', match: 'a' }] }, 'add[0].name', /built-in rule/],
    [{ add: [...pattern('a').add, ...pattern('b').add] }, 'add[1].name', /second rule "n"/],
    [{ add: [{ name: 'n', token: 'a-b', match: 'a' }] }, 'add[0].token', /letters and digits/],
    [{ add: [{ name: 'n', token: 'cwd', match: 'a' }] }, 'add[0].token', /the token of the built-in rule "paths"/],
    [{ add: [{ name: 'n', token: 't' }] }, 'add[0]', /needs "match".* or "at"/],
    [{ add: [{ name: 'n', token: 't', match: 'a', at: '/a' }] }, 'add[0]', /not both/],
    [pattern('('), 'add[0].match', /rule "n": "\(" is not a regular expression: .*[Uu]nterminated group/],
    [pattern('a*'), 'add[0].match', /matches the empty string/],
    [pattern('(a+)+$'), 'add[0].match', /exponential/],
    [pattern('build-(?:[0-9a-f]+-?)+$'), 'add[0].match', /exponential/],
    [pattern('(x|x)+y'), 'add[0].match', /exponential/],
    [pattern('a'.repeat(1001)), 'add[0].match', /more than 1000 characters/],
    [pattern('a', { flags: 'g' }), 'add[0].flags', /may be i, m, s and u/],
    [pattern('a', { number: true }), 'add[0].number', /belongs to "at"/],
    [pointer('/a', { flags: 'i' }), 'add[0].flags', /belongs to "match"/],
    [pointer('a'), 'add[0].at', /must be a JSON pointer/],
    [pointer('/a~2'), 'add[0].at', /~ that is not ~0/],
    [pointer('/a/**'), 'add[0].at', /ends in \*\*/],
    [pointer('/a//b'), 'add[0].at', /empty key/],
    [pointer('/a/{{cwd}}'), 'add[0].at', /names a token/],
    [pointer('/id'), 'add[0].at', /part of JSON-RPC/],
  ])('%j', (rules, at, problem) => {
    expect(ruleProblems(rules)).toEqual([expect.objectContaining({ at, problem: expect.stringMatching(problem) })])
  })

  test.each(['build-[0-9a-f]{8}', '(?:[0-9a-f]+-)+[0-9a-f]+', '\\d+\\.\\d+\\.\\d+', '(?<=v)(?:\\d+\\.)+\\d+', '\\S+'])(
    'are not patterns such as %s',
    (match) => expect(ruleProblems(pattern(match))).toEqual([]),
  )
})

test('normalising does not depend on the object that holds the rules', () => {
  const text = JSON.stringify({ a: 'v', durationMs: 5 })
  const rules = () => ({ off: ['durations'], add: [{ name: 'x', at: '/a', token: 'x' }] })
  expect(normalizeTranscript([text], { rules: rules() })).toEqual(normalizeTranscript([text], { rules: rules() }))
})
