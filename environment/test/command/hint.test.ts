import { spawnSync } from 'node:child_process'
import * as fc from 'fast-check'
import { configOf, jestCommand } from '../../src/command/hint.ts'

test.each([
  ['no project, no config', {}, 'npx jest __fixtures__/text-turn/'],
  ['one of several projects', { project: 'acp' }, 'npx jest __fixtures__/text-turn/ --selectProjects acp'],
  [
    'a project whose name has a space',
    { project: 'my agent' },
    "npx jest __fixtures__/text-turn/ --selectProjects 'my agent'",
  ],
  [
    'a config that is not the default',
    { config: 'test/jest.config.mjs' },
    'npx jest -c test/jest.config.mjs __fixtures__/text-turn/',
  ],
])('%s', (_, start, command) => {
  expect(jestCommand(start)('__fixtures__/text-turn')).toBe(command)
})

test('a flag stands before --selectProjects, which takes every word after it', () => {
  expect(jestCommand({ project: 'acp' })('__fixtures__/x', '-u')).toBe(
    'npx jest __fixtures__/x/ -u --selectProjects acp',
  )
})

test.each([
  ['a (draft)', "npx jest '__fixtures__/a \\(draft\\)/'"],
  ["it's", "npx jest '__fixtures__/it'\\''s/'"],
  ['v1.2', "npx jest '__fixtures__/v1\\.2/'"],
])('quotes and escapes a name with special characters: %s', (name, command) => {
  expect(jestCommand()(`__fixtures__/${name}`)).toBe(command)
})

test('the pattern selects its scenario, but not one with a longer name', () => {
  const name = fc.string({ minLength: 1 }).filter((text) => !/[/\\\0\n]/.test(text) && !/^\.*$/.test(text))
  fc.assert(
    fc.property(name, (name) => {
      const [, pattern = ''] = wordsOf(jestCommand()(`__fixtures__/${name}`).slice('npx '.length))
      const matches = (path: string) => new RegExp(pattern).test(path)
      expect(matches(`/home/me/__fixtures__/${name}/input.json`)).toBe(true)
      expect(matches(`/home/me/__fixtures__/${name}-2/input.json`)).toBe(false)
    }),
    { numRuns: 20 },
  )
})

test.each([
  [['-c', 'a.json'], 'a.json'],
  [['x', '--config', 'b.mjs', '--ci'], 'b.mjs'],
  [['--config=c.ts'], 'c.ts'],
  [['--ci'], undefined],
])('the config of %j is %j', (args, config) => {
  expect(configOf(args)).toBe(config)
})

/** The words that a shell makes of a line. */
function wordsOf(line: string): string[] {
  const print = `for word in "$@"; do printf '%s\\0' "$word"; done`
  const { stdout } = spawnSync('sh', ['-c', `set -- ${line}; ${print}`], { encoding: 'utf8' })
  return stdout.split('\0').slice(0, -1)
}
