import { parseOptions } from '../src/options.ts'

const parse = (normalize: unknown) => parseOptions({ command: 'a', normalize }, '/root').normalize

test('without rules, none are given', () => {
  expect(parse(undefined)).toEqual({})
})

test('rules are kept as they are', () => {
  const rules = {
    off: ['durations'],
    on: ['agent-version'],
    add: [
      { name: 'build', match: 'build-[0-9a-f]{8}', flags: 'i', token: 'build' },
      { name: 'cost', at: '/params/update/_meta/*/cost', token: 'cost', number: true },
    ],
    unordered: ['available_commands_update'],
  }
  expect(parse(rules)).toEqual(rules)
})

test.each<[unknown, string]>([
  [{ agentVersion: true }, 'normalize.agentVersion is unknown'],
  [{ unorderd: [] }, 'normalize.unorderd is unknown; did you mean "unordered"?'],
  [{ add: [{ name: 'x', token: 'x', mach: 'a' }] }, 'normalize.add.0.mach is unknown; did you mean "match"?'],
  [{ off: ['duration'] }, 'normalize.off.0: unknown rule "duration"; did you mean "durations"?'],
  [{ on: ['agentVersion'] }, 'normalize.on.0: unknown rule "agentVersion"; did you mean "agent-version"?'],
  [{ off: ['something else'] }, 'normalize.off.0: unknown rule "something else"; the rules are: ids, rpc-ids, paths'],
  [
    { add: [{ name: 'x', token: 'x', match: /a/ }] },
    'normalize.add.0.match: must be a string: the Jest config reaches',
  ],
  [
    { add: [{ name: 'x', token: 'x', match: '(' }] },
    'normalize.add.0.match: rule "x": "(" is not a regular expression',
  ],
  [
    { add: [{ name: 'x', token: 'x', match: '(a+)+$' }] },
    'normalize.add.0.match: rule "x": "(a+)+$" takes exponential',
  ],
])('%j is refused, and the option and the rule are named', (rules, message) => {
  expect(() => parse(rules)).toThrow(`testEnvironmentOptions.acp.${message}`)
})
