import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findUnusedRules } from '../../src/record/unused-rules.cjs'

let root: string
beforeEach(() => {
  root = fs.mkdtempSync(join(tmpdir(), 'unused-rules-'))
})
afterEach(() => fs.rmSync(root, { recursive: true }))

/** Writes the files of a scenario. Returns its `input.json`. */
function scenario(name: string, files: Record<string, string>): string {
  for (const [path, text] of Object.entries({ 'input.json': '{}', ...files })) {
    const file = join(root, name, path)
    fs.mkdirSync(dirname(file), { recursive: true })
    fs.writeFileSync(file, text)
  }
  return join(root, name, 'input.json')
}

const rules = (...tokens: string[]) => ({
  acp: {
    normalize: { add: tokens.map((token) => ({ name: `rule-${token}`, token })), unordered: ['plan', '_x/ping'] },
  },
})

test('a rule is used if any file of any scenario, or its name, holds the token', () => {
  const tests = [
    scenario('a', {
      'stdout.golden.jsonl': '{"text":"{{one}}","sessionUpdate":"plan"}\n',
      'workspace.golden/{{two}}/x': '',
    }),
    scenario('b', { 'session.1.jsonl': 'in {{three}} and {{three.2}}', 'stdout.golden.jsonl': '{"method":"_x/ping"}' }),
  ]
  expect(findUnusedRules(rules('one', 'two', 'three'), tests)).toEqual([])
})

test('other rules are unused, and a link in a workspace is not followed', () => {
  const input = scenario('a', { 'workspace/a': '', 'stdout.golden.jsonl': '{"text":"{{ones}} one plan"}' })
  fs.symlinkSync('nowhere', join(dirname(input), 'workspace', 'link'))
  expect(findUnusedRules(rules('one'), [input])).toEqual(['add "rule-one"', 'unordered "plan"', 'unordered "_x/ping"'])
})

test.each([
  ['a file that is too long', (dir: string) => fs.truncateSync(join(dir, 'workspace', 'a'), 600 * 1024 ** 2)],
  ['a scenario that was removed during the run', (dir: string) => fs.rmSync(dir, { recursive: true })],
])('nothing is said about the rules of a fixture with %s: its own test fails', (_, spoil) => {
  const input = scenario('a', { 'workspace/a': '' })
  spoil(dirname(input))
  expect(findUnusedRules(rules('one'), [input])).toEqual([])
})

test('nothing is said when no scenario ran, or without rules', () => {
  expect(findUnusedRules(rules('one'), [])).toEqual([])
  expect(findUnusedRules({ acp: { normalize: {} } }, [scenario('a', {})])).toEqual([])
  expect(findUnusedRules({}, [scenario('b', {})])).toEqual([])
})
