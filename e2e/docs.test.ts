import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { codeBlocks, commandsOf, documentationPages, linesOf, onlyBlock } from '@acp-snapshot/testing/documentation'
import { ProjectCopy } from '@acp-snapshot/testing/project-copy'
import { createWorkplace } from 'jest-environment-acp/child'
import { providerScript, recordEnv, withServer } from './support/record.ts'
import { startCommand } from './support/shell.ts'

const ROOT = join(__dirname, '..')
const KEPT = ['handshake', 'text-turn']

/** The commands that other tests run, and those that have nothing to run, each with the reason. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [
    /^npm (?:ci|test|install|run (?!llm-server)[\w:-]+)(?: |$)(?!--save-dev)/,
    'CI runs it, or links.test.ts looks it up',
  ],
  [/^npm install --save-dev jest \.\.\/\S+$/, 'e2e/packages.test.ts installs the packages, from another place'],
  [/^npx jest --selectProjects snapshot$/, 'e2e/readme.test.ts runs it'],
  [/^npm publish dist\/<package>$/, 'it publishes'],
  [/^node agent\.mjs$/, "the reader's agent"],
]

/** The commands of this page, which `e2e/packages.test.ts` runs in their order. */
const walked = codeBlocks('docs/your-agent.md', 'sh').flatMap(linesOf)

/** Tests of this repository: CI runs them all. */
const OWN_TESTS = /^npx jest (?:\S+ )?--selectProjects (?:unit|e2e)\b/

/** The two commands of a recording without a key. */
const PROVIDER = /^npm run llm-server /
const AGAINST_IT = /^RECORD=1 .*DEEPSEEK_BASE_URL=(\S+)/

const project = new ProjectCopy()
const place = createWorkplace()
afterAll(() => {
  project.remove()
  place.remove()
})

const all = [
  ...new Set(
    documentationPages()
      .flatMap(commandsOf)
      .map(({ command }) => filled(command)),
  ),
]
const others = [OWN_TESTS, PROVIDER, AGAINST_IT, ...ELSEWHERE.map(([pattern]) => pattern)]
const commands = all.filter((command) => !walked.includes(command) && !others.some((pattern) => pattern.test(command)))

beforeAll(() => {
  // A user has one project: the pages name scenarios without their path.
  project.edit('jest.config.ts', "    '<rootDir>/examples/agents/sdk-example',\n", '')
  for (const name of readdirSync(project.fixtures))
    if (!KEPT.includes(name)) rmSync(join(project.fixtures, name), { recursive: true })
})

test('the workflow of docs/ci.md runs commands of the page', () => {
  const page = codeBlocks('docs/ci.md', 'sh').flatMap(linesOf)
  const { code } = onlyBlock('docs/ci.md', 'yaml')
  const steps = [...code.matchAll(/^ +- run: (npx .*)$/gm)].map(([, command = '']) => command)
  expect(steps.length).toBeGreaterThan(0)
  for (const step of steps) expect(page).toContain(step)
})

test('the commands of the pages pass, and change no fixture', async () => {
  const before = project.readFixtures()
  for (const command of commands) {
    const { status, output } = await run(command)
    if (status !== 0) throw new Error(`${command}:\n${output}`)
  }
  expect(commands.length).toBeGreaterThan(8)
  expect(project.readFixtures()).toEqual(before)
})

test('the commands for a recording without a key give the committed fixture', async () => {
  const before = project.readFixtures()
  const [server = '', ...more] = all.filter((command) => PROVIDER.test(command))
  const [record = '', ...otherRecords] = all.filter((command) => AGAINST_IT.test(command))
  expect([...more, ...otherRecords]).toEqual([])
  const [, url = ''] = AGAINST_IT.exec(record) ?? []
  // Another program may have the port of the page.
  const provider = startCommand(server.replace(/--port \d+/, '--port 0'), { dir: project.dir, place })
  try {
    const [started] = await provider.printed(/http:\/\/127\.0\.0\.1:\d+/)
    const { status, output } = await run(record.replace(url, () => started))
    if (status !== 0) throw new Error(`${record}:\n${output}`)
  } finally {
    await provider.stop()
  }
  expect(project.readFixtures()).toEqual(before)
})

test.each(all.filter((command) => OWN_TESTS.test(command)))('%s selects tests of this repository', (command) => {
  const [, pattern, , title] = /^npx jest (?:(\S+) )?--selectProjects (\w+)(?: -t '(.*)')?$/.exec(command) ?? []
  const list = spawnSync('git', ['grep', '-l', '-F', title ?? '', '--', '*.test.ts'], { cwd: ROOT, encoding: 'utf8' })
  expect(list.stdout.split('\n').filter((file) => file.includes(pattern ?? ''))).not.toEqual([])
})

test.each(ELSEWHERE)('a command of the pages is like %s', (pattern) => {
  expect(all.filter((command) => pattern.test(command))).not.toEqual([])
})

function filled(command: string): string {
  return command.replace('<pattern>', '__fixtures__/text-turn/').replace('<scenario>', 'handshake')
}

/** Runs a command of Jest or of `acp-snapshot`, with its variables; a recording gets a provider. */
async function run(command: string) {
  const [, variables = '', program, words = ''] = /^((?:\w+=\S+ )*)npx (jest|acp-snapshot)\b(.*)$/.exec(command) ?? []
  const args = words.split(' ').filter(Boolean)
  const env = Object.fromEntries(
    variables
      .split(' ')
      .filter(Boolean)
      .map((variable) => variable.split('=')),
  )
  if (program === 'acp-snapshot') return acpSnapshot(args)
  if (program === undefined)
    throw new Error(`no test runs this command, and ELSEWHERE has no reason for it: ${command}`)
  if (env.RECORD === undefined || 'DEEPSEEK_BASE_URL' in env) return project.jest(args, env)
  const script = providerScript('text-turn')
  return withServer({ script }, (server) => project.jest(args, { ...env, ...recordEnv(server) }))
}

function acpSnapshot(args: readonly string[]) {
  const bin = join(project.dir, 'environment/bin/acp-snapshot.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { cwd: project.dir, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}
