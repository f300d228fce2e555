import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentFile } from '@acp-snapshot/testing/agent-file'
import { codeBlocks, linesOf, onlyBlock } from '@acp-snapshot/testing/documentation'
import { createWorkplace } from 'jest-environment-acp/child'
import { install, linkTree, type Packed, packedIn } from './support/installed.ts'
import { expectStatus, runCommand } from './support/shell.ts'

const ROOT = join(__dirname, '..')
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
const FOR_TYPESCRIPT = ['ts-jest', 'typescript', '@types/jest', '@types/node', 'esbuild', 'esbuild-register']

const place = createWorkplace()
const dist = join(place.root, 'dist')
afterAll(() => place.remove())

/** What the README's first command installs, besides Jest. */
const [, named = ''] = /^npm install --save-dev (.*)$/m.exec(README) ?? []
let packed: Packed[] = []
let checked: Awaited<ReturnType<typeof runCommand>>

beforeAll(async () => {
  checked = await runCommand(`npm run check:packages -- --out ${dist}`, { dir: ROOT, place })
  // With 1, there are tarballs, and something is wrong with one of them.
  if (checked.status !== 1) expectStatus(0, checked)
  packed = packedIn(dist)
  const wanted = named.split(' ').filter((name) => name !== 'jest')
  // The registry would give the serializer, too: the environment depends on it.
  const ours = packed.filter(({ name }) => [...wanted, 'jest-serializer-acp'].includes(name))
  await install(ours, ['jest', ...FOR_TYPESCRIPT], { dir: directory('installed'), place })
})

test('publint, the type checks and the look at their files find nothing wrong with the packages', () => {
  expectStatus(0, checked)
  expect(checked.output).toContain(`${packed.length} packages, 0 problems`)
})

test('nothing else has to be installed: the environment contains our other packages', () => {
  expect(named).toBe('jest jest-environment-acp')
  const installed = readdirSync(join(place.root, 'installed', 'node_modules'))
  expect(installed.filter((name) => /acp/.test(name)).sort()).toEqual(['jest-environment-acp', 'jest-serializer-acp'])
})

test('a JavaScript project works with the config and the scenario of the README', async () => {
  const dir = project('javascript', {})
  writeFileSync(join(dir, 'jest.config.mjs'), onlyBlock('README.md', 'js').code)
  writeScenario(dir)

  const written = await run('npx jest', dir)
  expectStatus(0, written)
  expect(written.output).toContain('1 snapshot written')
  expectStatus(0, await run('npx jest --selectProjects snapshot --ci', dir))
  expectStatus(0, await run('npx acp-snapshot check', dir))

  const golden = join(dir, '__fixtures__', 'pong', 'stdout.golden.jsonl')
  const before = readFileSync(golden, 'utf8')
  const agent = readFileSync(join(dir, 'agent.mjs'), 'utf8')
  writeFileSync(join(dir, 'agent.mjs'), agent.replace('say(sessionId, all)', "say(sessionId, 'something else')"))
  const changed = await run('npx jest --ci', dir)
  expectStatus(1, changed)
  expect(changed.output).toContain('scenario pong: the transcript differs from stdout.golden.jsonl')
  expect(readFileSync(golden, 'utf8')).toBe(before)
  expectStatus(0, await run('npx jest -u', dir))
  expect(readFileSync(golden, 'utf8')).not.toBe(before)
})

test('a TypeScript project has its own tests beside the scenarios, and types for the options', async () => {
  const dir = project('typescript', {})
  const loader = '/** @jest-config-loader esbuild-register */\n'
  writeFileSync(join(dir, 'jest.config.ts'), `${loader}${onlyBlock('environment/README.md', 'ts').code}`)
  // Transpiles only, in ts-jest: tsc has checked the types.
  const isolated = { isolatedModules: true, types: ['node', 'jest'] }
  const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, noEmit: true, ...isolated }
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  mkdirSync(join(dir, 'src'))
  writeFileSync(join(dir, 'src', 'own.test.ts'), "test('their own', () => expect<number>(1).toBe(1))\n")
  writeScenario(dir)

  expectStatus(0, await run('npx tsc', dir))
  expectStatus(0, await run('npx jest', dir))
  const both = await run('npx jest --ci', dir)
  expectStatus(0, both)
  expect(both.output).toContain('PASS snapshot __fixtures__/pong/input.json')
  expect(both.output).toContain('PASS unit src/own.test.ts')
})

test('in an ESM project, the commands of docs/your-agent.md work in their order', async () => {
  const dir = project('esm', { type: 'module' })
  const [installed, initialise, ...more] = codeBlocks('docs/your-agent.md', 'sh').flatMap(linesOf)
  const [write, compare, accept, ...rest] = more
  expect(rest).toEqual([])
  expect(installed).toBe(`npm install --save-dev ${named}`)

  const init = await run(initialise, dir)
  expectStatus(0, init)
  expect(init.output).toContain('wrote jest.config.mjs')
  expect(existsSync(join(dir, '__fixtures__', 'handshake', 'stdout.golden.jsonl'))).toBe(true)

  writeScenario(dir, 'docs/your-agent.md')
  const written = await run(write, dir)
  expectStatus(0, written)
  expect(written.output).toContain('1 snapshot written')
  const agent = readFileSync(join(dir, 'agent.mjs'), 'utf8')
  writeFileSync(join(dir, 'agent.mjs'), agent.replace('say(sessionId, all)', "say(sessionId, 'something else')"))
  const changed = await run(compare, dir)
  expectStatus(1, changed)
  expect(changed.output).toContain('scenario pong: the transcript differs from stdout.golden.jsonl')
  expectStatus(0, await run(accept, dir))

  // For tests of the project's own that are ES modules.
  const modules = { NODE_OPTIONS: '--experimental-vm-modules' }
  expectStatus(0, await runCommand('npx jest --ci', { dir, place, env: modules }))
  const help = await run('npx acp-snapshot --help', dir)
  expectStatus(0, help)
  expect(help.output).toContain('npx acp-snapshot init -- ')
})

test('the example agent runs from installed packages, and its goldens hold', async () => {
  const plugins = packed.filter(({ name }) => name.startsWith('@acp-snapshot/'))
  const agent = directory('agent')
  await install(plugins, [], { dir: agent, place })
  for (const name of ['cordis.yml', 'cordis.snapshot.yml']) {
    copyFileSync(join(ROOT, 'examples', 'acp-agent', name), join(agent, name))
  }

  const dir = project('example', {})
  const args = ['--config', join(agent, 'cordis.snapshot.yml')]
  const env = { ACP_AGENT_SESSIONS: '{{sessions}}', LLM_REPLAY_FIXTURE: '{{fixture}}', LLM_REPLAY_REPORT: '{{report}}' }
  const acp = { command: join(agent, 'node_modules', '.bin', 'acp-agent'), args, env, sessionLogs: true }
  const config = { preset: 'jest-environment-acp', testEnvironmentOptions: { acp } }
  writeFileSync(join(dir, 'jest.config.json'), JSON.stringify(config))
  for (const name of ['text-turn', 'tool-call-turn', 'error-mid-stream']) {
    linkTree(join(ROOT, '__fixtures__', name), join(dir, '__fixtures__', name))
  }
  const { status, output } = await run('npx jest --ci', dir)
  expectStatus(0, { status, output })
  expect(output).toContain('3 passed, 3 total')
})

function run(command: string | undefined, dir: string) {
  if (command === undefined) throw new Error('the page has fewer commands than this test runs')
  return runCommand(command, { dir, place })
}

function directory(name: string): string {
  const dir = join(place.root, name)
  mkdirSync(dir)
  return dir
}

/** A project with the installed packages, and an agent that does what it is told. */
function project(name: string, more: object): string {
  const dir = directory(name)
  const installed = join(place.root, 'installed')
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  linkTree(join(installed, 'node_modules'), join(dir, 'node_modules'))
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ ...manifest, ...more }))
  mkdirSync(join(dir, 'lib'))
  copyFileSync(agentFile('lib/acp'), join(dir, 'lib', 'acp.mjs'))
  copyFileSync(agentFile('puppet'), join(dir, 'agent.mjs'))
  return dir
}

/** The scenario of a page, with a prompt that this agent obeys. */
function writeScenario(dir: string, page = 'README.md'): void {
  const scenario = join(dir, '__fixtures__', 'pong')
  mkdirSync(scenario, { recursive: true })
  const input = onlyBlock(page, 'json').code.replace('Reply with PONG.', 'say PONG')
  writeFileSync(join(scenario, 'input.json'), input)
}
