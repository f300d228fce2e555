import * as fc from 'fast-check'
import { type NormalizeRules, normalizeTranscript, ruleProblems } from 'jest-serializer-acp'
import { type Proposal, proposeRules } from '../../src/stable/propose.ts'
import { formatProposal, printRules } from '../../src/stable/snippet.ts'

type Frame = Record<string, unknown>

const update = (update: object): Frame => ({ method: 'session/update', params: { sessionId: 's1', update } })
const say = (text: string) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
const COMMANDS = update({ sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'review' }] })
const USAGE = update({ sessionUpdate: 'usage_update', used: 10, size: 1000 })
const START: Frame[] = [
  { id: 1, result: { protocolVersion: 1, agentInfo: { name: 'a', version: '1.0.0' } } },
  { id: 2, result: { sessionId: 's1', modes: ['ask', 'build 2'] } },
]
const END: Frame = { id: 3, result: { stopReason: 'end_turn', usage: { totalTokens: 12 } } }

function propose(runs: Frame[][], rules: NormalizeRules = {}): Proposal {
  return proposeRules(
    runs.map((frames) => ({ frames: frames.map((frame) => JSON.stringify(frame)), volatile: { rules } })),
  )
}

/** Whether the runs are equal under the proposed rules. */
function areEqual(runs: Frame[][], { rules }: Proposal): boolean {
  const texts = runs.map((frames) =>
    normalizeTranscript(
      frames.map((frame) => JSON.stringify(frame)),
      { rules },
    ).join('\n'),
  )
  return new Set(texts).size === 1
}

/** Three runs with one frame that differs. */
const three = (frame: (n: 0 | 1 | 2) => Frame): Frame[][] => ([0, 1, 2] as const).map((n) => [...START, frame(n), END])

test('equal runs need no rule', () => {
  const proposal = propose(three(() => say('hello')))
  expect(proposal).toEqual({ rules: {}, proposed: [], remaining: [] })
  expect(formatProposal(proposal, (text) => text)).toEqual(['the runs are equal'])
})

describe('a text with a changing part gets a pattern', () => {
  test.each<[string, string[], { match: string; token: string; flags?: string }]>([
    [
      'hexadecimal',
      ['build-01234567', 'build-01fedcba', 'build-99999999'],
      { match: '(?<=build-)[0-9a-f]{8}(?![0-9A-Za-z])', token: 'build' },
    ],
    ['digits and a unit', ['took 5s', 'took 61s', 'took 7s'], { match: '(?<=took )\\d+(?=s)', token: 'took' }],
    [
      'decimal number',
      ['$0.12 so far', '$1.5 so far', '$3 so far'],
      { match: '(?<=\\$)\\d+(?:\\.\\d+)?(?![0-9A-Za-z])', token: 'number' },
    ],
    [
      'UUID',
      [
        'id 9e94b313-fd99-4c90-9066-757ba290d833',
        'id a9282055-3295-44a5-9f32-57a80cc84f38',
        'id 356ef188-a9e7-45d2-9c1c-8eda61c76209',
      ],
      { match: '\\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b', flags: 'i', token: 'uuid' },
    ],
    [
      'ISO time',
      ['at 2026-12-03T01:02:03Z', 'at 2026-12-03T01:02:04Z', 'at 2026-12-03T01:03:03Z'],
      {
        match: '\\b\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?',
        token: 'date',
      },
    ],
    [
      'port',
      ['on host:8000', 'on host:8123', 'on host:9000'],
      { match: '(?<=host:)\\d+(?![0-9A-Za-z])', token: 'host' },
    ],
    [
      'base64',
      ['key=aB3+xyZ9', 'key=Q7/ab0-1', 'key=zzz0_Y9='],
      { match: '(?<=key=)[\\w+/=-]{8}(?![0-9A-Za-z])', token: 'key' },
    ],
  ])('%s', (_, texts, { match, token, flags }) => {
    const runs = three((n) => say(`${texts[n]}, and that was all`))
    const proposal = propose(runs)
    expect(proposal.remaining).toEqual([])
    expect(areEqual(runs, proposal)).toBe(true)
    const [rule, ...others] = proposal.rules.add ?? []
    expect(others).toEqual([])
    expect(rule).toMatchObject({ token, ...(flags !== undefined && { flags }) })
    expect(rule?.match).toContain(match.replace(/\(\?![^)]*\)$/, ''))
  })

  test('and more of the fixed text if a short pattern would replace other values', () => {
    const runs = three((n) => say(`line ${n + 4} of the plan is at port ${['71', '82', '93'][n]}`)).map((frames) => [
      ...frames.slice(0, 3),
      say('port 5 and port 6 are fixed'),
      END,
    ])
    const proposal = propose(runs)
    expect(areEqual(runs, proposal)).toBe(true)
    expect(proposal.proposed.map(({ alsoReplaces }) => alsoReplaces)).toEqual([0, 0])
  })
})

test('a number gets a pointer, with * for the positions in a list', () => {
  const runs = three((n) => update({ sessionUpdate: 'tool_call', _meta: { list: [{ price: n }, { price: n + 5 }] } }))
  const proposal = propose(runs)
  expect(proposal.rules).toEqual({
    add: [{ name: 'price', token: 'price', at: '/params/update/_meta/list/*/price' }],
  })
  expect(areEqual(runs, proposal)).toBe(true)
})

test.each<[string, NormalizeRules, Frame[][], NormalizeRules]>([
  [
    'agent-version',
    {},
    three(() => END).map((frames, n) => [
      { id: 1, result: { protocolVersion: 1, agentInfo: { version: `1.0.${n}` } } },
      ...frames.slice(1),
    ]),
    { on: ['agent-version'] },
  ],
  ['token-counts', {}, three((n) => ({ ...END, result: { usage: { totalTokens: n } } })), { on: ['token-counts'] }],
  [
    'a rule that the project turned off',
    { off: ['ports', 'durations'] },
    three((n) => say(`localhost:4000${n}`)),
    { off: ['durations'] },
  ],
  [
    'chunks',
    {},
    [
      [...START, say('Hello'), END],
      [...START, say('He'), say('llo'), END],
    ],
    { on: ['chunks'] },
  ],
  [
    'repeated-updates',
    {},
    [
      [...START, USAGE, END],
      [...START, USAGE, USAGE, USAGE, END],
    ],
    { on: ['repeated-updates'] },
  ],
  [
    'unordered',
    {},
    [
      [...START, COMMANDS, say('a'), END],
      [...START, say('a'), COMMANDS, END],
      [...START, say('a'), END, COMMANDS],
    ],
    { unordered: ['available_commands_update'] },
  ],
])('%s is proposed when it explains the difference', (_, rules, runs, expected) => {
  const proposal = propose(runs, rules)
  expect(proposal).toMatchObject({ rules: expected, remaining: [] })
  expect(areEqual(runs, proposal)).toBe(true)
})

describe('what no rule explains is listed', () => {
  test('when the agent says something else', () => {
    const { rules, remaining } = propose(three((n) => say(['yes', 'no', 'maybe'][n] ?? '')))
    expect(rules).toEqual({})
    expect(remaining).toEqual([
      { frame: 3, pointer: '/params/update/content/text', values: ['"yes"', '"no"', '"maybe"'] },
    ])
  })

  test('when a frame is missing, or tool calls come in another order', () => {
    const [a, b] = ['a', 'b'].map((toolCallId) => update({ sessionUpdate: 'tool_call', toolCallId, [toolCallId]: 1 }))
    if (!a || !b) throw new Error('no frames')
    const swapped = propose([
      [...START, a, b, END],
      [...START, b, a, END],
    ])
    expect(swapped.remaining.length).toBeGreaterThan(0)
    expect(swapped.rules).toEqual({})
    const early = propose([
      [...START, a, say('hello'), END],
      [...START, say('hello'), a, END],
    ])
    expect(early.remaining.length).toBeGreaterThan(0)
    expect(early.rules).toEqual({})
    const { remaining } = propose([
      [...START, a, END],
      [...START, END],
    ])
    expect(remaining).toEqual([{ frame: 3, pointer: '', values: [expect.stringContaining('tool_call'), undefined] }])
  })
})

test('a rule that also hides equal values says so', () => {
  const runs = three((n) => update({ sessionUpdate: 'tool_call', title: ['red', 'green', 'blue'][n] })).map(
    (frames) => [...frames.slice(0, 3), update({ sessionUpdate: 'tool_call_update', title: 'fixed' }), END],
  )
  const proposal = propose(runs)
  expect(proposal.proposed).toEqual([expect.objectContaining({ change: 'add "title"', alsoReplaces: 1 })])
  const lines = formatProposal(proposal, (text) => text.replace('green', '[redacted]'))
  expect(lines).toContain('    "red" | "[redacted]" | "blue"')
  expect(lines).toContain('    it also replaces 1 values that are equal in all runs')
})

test('the printed rules are JavaScript with the same value', () => {
  const rules: NormalizeRules = {
    off: ['ports'],
    add: [
      { name: "it's", match: '(?<=\\$"\')\\d+\\n', token: 'x' },
      { name: 'n', at: '/a~1b', token: 'y', number: true },
    ],
    unordered: ['plan'],
  }
  const text = printRules(rules)
  expect(new Function(`return { ${text} }`)()).toEqual({ normalize: rules })
  expect(text).toBe(
    [
      'normalize: {',
      "  off: ['ports'],",
      '  add: [',
      `    { name: 'it\\'s', match: '(?<=\\\\$"\\')\\\\d+\\\\n', token: 'x' },`,
      "    { name: 'n', at: '/a~1b', token: 'y', number: true },",
      '  ],',
      "  unordered: ['plan'],",
      '},',
    ].join('\n'),
  )
})

describe('with generated perturbations', () => {
  const hex = (n: number) => fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: n, maxLength: n })
  const volatiles: fc.Arbitrary<string>[] = [
    hex(8).map((text) => `build-${text} is ready`),
    fc.uuid().map((id) => `request ${id} done`),
    fc.nat(99_999).map((n) => `took ${n} ms`),
    fc
      .date({ min: new Date(0), max: new Date(2e12), noInvalidDate: true })
      .map((date) => `since ${date.toISOString()}`),
    fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20)).map((parts) => `plugin v${parts.join('.')} loaded`),
  ]
  const cut = (text: string, at: number[]) => {
    const borders = [0, ...at.map((n) => n % text.length).sort((a, b) => a - b), text.length]
    return borders.slice(1).map((end, i) => say(text.slice(borders[i], end)))
  }
  /** One run: each part is perturbed, or the same in all runs. */
  const run = fc
    .record({
      texts: fc.tuple(...volatiles),
      price: fc.nat(1000),
      cuts: fc.array(fc.nat(60), { maxLength: 4 }),
      repeats: fc.integer({ min: 1, max: 3 }),
      place: fc.nat(3),
    })
    .map((random) => (which: ReadonlySet<string>) => {
      const texts = random.texts.flatMap((text, i) => (which.has(`text${i}`) ? [text] : []))
      const call = update({
        sessionUpdate: 'tool_call',
        title: texts.join('; '),
        price: which.has('price') ? random.price : 1,
      })
      const message = cut('All tests pass, as they should on a good day.', which.has('cuts') ? random.cuts : [])
      const usage = Array.from({ length: which.has('repeats') ? random.repeats : 1 }, () => USAGE)
      const frames = [call, ...message, ...usage, END]
      const place = which.has('place') ? [0, 1, frames.length - 1, frames.length][random.place] : 0
      frames.splice(place ?? 0, 0, COMMANDS)
      return [...START, ...frames]
    })
  const WHICH = ['text0', 'text1', 'text2', 'text3', 'text4', 'price', 'cuts', 'repeats', 'place']

  test('the proposed rules make the runs equal, and are rules that the options take', () => {
    fc.assert(
      fc.property(fc.array(run, { minLength: 2, maxLength: 3 }), fc.subarray(WHICH), (made, which) => {
        const runs = made.map((make) => make(new Set(which)))
        const proposal = propose(runs)
        expect(proposal.remaining).toEqual([])
        expect(areEqual(runs, proposal)).toBe(true)
        expect(ruleProblems(proposal.rules)).toEqual([])
      }),
      { numRuns: 40 },
    )
  })

  test('something remains exactly when the runs are not equal', () => {
    const any = fc.array(
      fc.constantFrom(COMMANDS, USAGE, say('a'), say('b 1'), say('b 2'), END, { id: 4, result: null }),
      {
        maxLength: 6,
      },
    )
    fc.assert(
      fc.property(fc.array(any, { minLength: 2, maxLength: 3 }), (ends) => {
        const runs = ends.map((frames) => [...START, ...frames])
        const proposal = propose(runs)
        expect(areEqual(runs, proposal)).toBe(proposal.remaining.length === 0)
      }),
      { numRuns: 200 },
    )
  })
})
