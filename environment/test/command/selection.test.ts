import { describeMistake, splitArgs } from '../../src/command/selection.cjs'

const KNOWN = { names: ['unit', 'snapshot'], scenarios: ['text-turn', 'unicode'], env: {} }

function meant(args: string[], known: Partial<typeof KNOWN> & { env?: NodeJS.ProcessEnv } = {}): string | undefined {
  return describeMistake(splitArgs(args), { ...KNOWN, ...known })
    ?.split('\n')
    .at(-1)
}

test.each([
  [['--selectProjects', 'a', 'b', '-u', 'c'], { select: ['a', 'b'], ignore: [], rest: ['-u', 'c'] }],
  [['--selectProjects=a', 'b'], { select: ['a', 'b'], ignore: [], rest: [] }],
  [['x', '--select-projects', 'a', '--ci'], { select: ['a'], ignore: [], rest: ['x', '--ci'] }],
  [['--ignoreProjects', 'a', '--selectProjects', 'b'], { select: ['b'], ignore: ['a'], rest: [] }],
  [['--selectProjects', 'a', '--selectProjects', 'b'], { select: ['a', 'b'], ignore: [], rest: [] }],
  [['--selectProjects', 'a', '--', 'b'], { select: ['a'], ignore: [], rest: ['--', 'b'] }],
  [['-t', 'a b', '-u'], { select: [], ignore: [], rest: ['-t', 'a b', '-u'] }],
])('%j is split as Jest splits it', (args, selection) => {
  expect(splitArgs(args)).toEqual(selection)
})

test('accepts words that all name projects', () => {
  expect(meant(['text-turn', '--selectProjects', 'snapshot', 'unit'])).toBeUndefined()
  expect(meant([])).toBeUndefined()
})

test('the message names the word, the projects, and the command', () => {
  expect(describeMistake(splitArgs(['--selectProjects', 'snapshot', 'text-turn']), KNOWN)).toBe(
    '--selectProjects reads every word after it as a project, and "text-turn" is not one (projects: unit, snapshot). ' +
      'No test was run.\nTo run the scenario text-turn: npx jest text-turn --selectProjects snapshot',
  )
})

test.each([
  [
    ['--selectProjects', 'snapshot', '__fixtures__/unicode/'],
    'To run the scenario __fixtures__/unicode/: npx jest __fixtures__/unicode/ --selectProjects snapshot',
  ],
  [
    ['--selectProjects', 'snapshot', 'text-turn', 'unicode', '-u'],
    'To run the scenarios text-turn, unicode: npx jest text-turn unicode -u --selectProjects snapshot',
  ],
  [
    ['--ignoreProjects', 'unit', 'text-turn'],
    'To run the scenario text-turn: npx jest text-turn --ignoreProjects unit',
  ],
  [
    ['--selectProjects', 'snapshot', "it's"],
    "Put a pattern for test files before the flag: npx jest 'it'\\''s' --selectProjects snapshot",
  ],
])('%j: %s', (args, line) => {
  expect(meant(args)).toBe(line)
})

test('the corrected command keeps RECORD=1', () => {
  const args = ['--selectProjects', 'snapshot', 'text-turn']
  expect(meant(args, { env: { RECORD: '1' } })).toContain(': RECORD=1 npx jest text-turn --selectProjects snapshot')
})
