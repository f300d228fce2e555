import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentCommand } from '../../src/cli/agent-command.ts'

let cwd: string

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'agent-command-'))
  mkdirSync(join(cwd, 'node_modules/.bin'), { recursive: true })
  writeFileSync(join(cwd, 'node_modules/.bin/my-agent'), '')
  mkdirSync(join(cwd, 'acp'))
  mkdirSync(join(cwd, 'lib'))
  writeFileSync(join(cwd, 'lib/agent.mjs'), '')
  writeFileSync(join(cwd, 'agent.mjs'), '')
  writeFileSync(join(cwd, 'run'), '')
})

afterAll(() => rmSync(cwd, { recursive: true }))

test.each<[string, string[], string, string[]]>([
  ['a file of the project', ['node', 'agent.mjs'], 'node', ['<rootDir>/agent.mjs']],
  ['a file below it', ['node', './lib/agent.mjs'], 'node', ['<rootDir>/lib/agent.mjs']],
  ['a program of the project', ['./run', '--acp'], '<rootDir>/run', ['--acp']],
  ['a file in a flag', ['node', '--import=./agent.mjs'], 'node', ['--import=<rootDir>/agent.mjs']],
  ['the project itself', ['node', '.'], 'node', ['<rootDir>']],
  ['a subcommand with the name of a directory', ['opencode', 'acp'], 'opencode', ['acp']],
  ['a file that does not exist', ['node', 'other.mjs'], 'node', ['other.mjs']],
  ['an installed program', ['my-agent'], '<rootDir>/node_modules/.bin/my-agent', []],
  [
    'an installed program, started by npx',
    ['npx', '-y', 'my-agent', 'acp'],
    '<rootDir>/node_modules/.bin/my-agent',
    ['acp'],
  ],
])('%s works from any directory', (_, words, command, args) => {
  expect(agentCommand(words, cwd)).toEqual({ command, args })
})

test('a file outside the project gets its absolute path', () => {
  expect(agentCommand(['node', '../agent.mjs'], join(cwd, 'lib')).args).toEqual([join(cwd, 'agent.mjs')])
})

test.each([
  [['npx', 'other-agent'], /^other-agent is not in node_modules\/\.bin: .*npm install --save-dev other-agent$/],
  [['npx'], /needs the name of a program/],
])('%j is refused', (words, problem) => {
  expect(() => agentCommand(words, cwd)).toThrow(problem)
})
