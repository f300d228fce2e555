import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const HERE = join(__dirname, '..')
const ROOT = join(HERE, '..', '..')
/** Every agent, and those of them that `npm run agents` installs. */
const directories = readdirSync(HERE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'test')
  .map(({ name }) => name)
const installed = directories.filter((name) => existsSync(join(HERE, name, 'package.json')))

test.each(directories)('%s has a Jest config of at most 15 lines, and no other code', (name) => {
  expect(read(name, 'jest.config.mjs').trimEnd().split('\n').length).toBeLessThanOrEqual(15)
  const code = readdirSync(join(HERE, name)).filter((file) => /\.(?:[cm]?[jt]s|sh)$/.test(file))
  expect(code).toEqual(['jest.config.mjs'])
})

test.each(installed)('%s is pinned by its own lock file, and npm ci in the root does not install it', (name) => {
  const { dependencies } = JSON.parse(read(name, 'package.json'))
  const [[agent, version] = []] = Object.entries(dependencies)
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  expect(JSON.parse(read(name, 'package-lock.json')).packages[`node_modules/${agent}`].version).toBe(version)
  expect(Object.keys(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages)).not.toContain(
    `node_modules/${agent}`,
  )
})

test.each(installed)('%s has each scenario, and a script for the model of each that calls it', (name) => {
  const scenarios = readdirSync(join(HERE, name, '__fixtures__'))
  const required = ['cancel', 'handshake', 'load-session', 'prompt', 'tool-call', 'tool-rejected']
  expect(scenarios).toEqual(expect.arrayContaining(required))
  const scripts = readdirSync(join(HERE, name, 'model')).map((file) => file.replace(/\.json$/, ''))
  expect([...scripts, 'handshake'].sort()).toEqual(scenarios.sort())
})

test.each(installed)('the fixtures of %s have no fault', (name) => {
  const check = ['environment/bin/acp-snapshot.mjs', 'check', join(HERE, name, '__fixtures__'), '--no-session-logs']
  const { stdout, stderr } = spawnSync(process.execPath, check, { cwd: ROOT, encoding: 'utf8' })
  expect([stdout, stderr]).toEqual([expect.stringMatching(/^\d+ fixtures, no faults\n$/), ''])
})

test.each(installed)('the page about agents names %s with its version', (name) => {
  const [version] = Object.values(JSON.parse(read(name, 'package.json')).dependencies)
  const page = readFileSync(join(ROOT, 'docs', 'agents.md'), 'utf8')
  expect(page).toContain(`| [${name}](../examples/agents/${name}/README.md) | ${version} |`)
})

test('an unknown agent is a mistake in the command line, and the message lists the agents', () => {
  const { status, stderr } = run('gemini')
  expect(status).toBe(2)
  expect(stderr).toContain(`no agent gemini; the agents are ${directories.join(', ')} (npm run agents -- --help)\n`)
})

test('an unknown scenario is a mistake in the command line, and the message lists the scenarios', () => {
  const { status, stderr } = run('opencode', '--scenario', 'promt')
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/^no scenario promt; the scenarios are cancel, handshake,/),
  ])
})

test('a number of runs below 1 is a mistake in the command line', () => {
  const { status, stderr } = run('opencode', '--runs', '0')
  expect([status, stderr]).toEqual([2, '--runs needs a number from 1, not 0 (npm run agents -- --help)\n'])
})

function run(...args: string[]) {
  const start = ['-r', 'esbuild-register', '-e', "require('./examples/agents/run.ts')", '--', ...args]
  return spawnSync(process.execPath, start, { cwd: ROOT, encoding: 'utf8' })
}

function read(...path: string[]): string {
  return readFileSync(join(HERE, ...path), 'utf8')
}
