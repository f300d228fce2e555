import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ProjectCopy } from '@acp-snapshot/testing/project-copy'
import { recordEnv, withServer } from './support/record.ts'
import { scenariosThat, snapshot } from './support/snapshot-run.ts'

const project = new ProjectCopy()
const before = project.readFixtures()
const envFile = join(project.dir, '.env')
const bin = 'packages/boot/bin/acp-agent.mjs'
const BOOTED = 'an agent was booted'
const NOWHERE = recordEnv({ url: 'http://127.0.0.1:9' })

afterEach(async () => {
  project.restore()
  rmSync(envFile, { force: true })
  expect(await project.leftovers()).toEqual([])
})
afterAll(() => project.remove())

test('a recording without a key names the variable in one line, and starts no agent', async () => {
  project.edit(bin, 'const { entry', `process.stderr.write('${BOOTED}')\nprocess.exit(1)\nconst { entry`)
  const run = await project.jest(snapshot('text-turn'), { RECORD: '1' })
  expect(run.status).toBe(1)
  expect(run.output).toContain(`RECORD=1 needs DEEPSEEK_API_KEY, set in the environment or in ${envFile}\n`)
  expect(run.output).not.toContain(BOOTED)
  expect(project.readFixtures()).toEqual(before)

  const withKey = await project.jest(snapshot('text-turn'), NOWHERE)
  expect(withKey.output).toContain(BOOTED)
})

test.each([
  ['--ci', ['--ci'], {}],
  ['CI=true', [], { CI: 'true' }],
])('a recording is refused under %s, and nothing is written', async (_, args, env) => {
  const run = await project.jest([...snapshot('text-turn'), ...args], { ...NOWHERE, ...env })
  expect(run).toMatchObject({ status: 1, output: expect.stringContaining('RECORD=1 is refused under --ci') })
  expect(project.readFixtures()).toEqual(before)
})

test.each(['RECORD', 'REFRESH'])('%s=1 is refused under --watchAll', async (flag) => {
  const run = project.startJest([...snapshot('text-turn'), '--watchAll'], { ...NOWHERE, RECORD: '', [flag]: '1' })
  await run.printed(`${flag}=1 is refused under watch`)
  run.kill('the group')
  await run.done
  expect(project.readFixtures()).toEqual(before)
})

test('a recording only compares overridden scenarios, and finds nothing new in one that calls no model', async () => {
  const overridden = ['error-before-stream', 'load-session']
  const all = [...overridden, 'handshake'].sort()
  await withServer({ script: [] }, async (server) => {
    const run = await project.jest(snapshot(...all), recordEnv(server))
    expect(scenariosThat('PASS', run)).toEqual(all)
    const said = run.output.match(/^.*: "overridden": true, so it is compared and not recorded$/gm) ?? []
    expect(said.map((line) => line.split(':')[0]).sort()).toEqual(overridden)
    expect(server.connections).toBe(0)
  })
  expect(project.readFixtures()).toEqual(before)
})

test('neither a replay nor REFRESH=1 mentions authored scenarios', async () => {
  expect((await project.jest(snapshot('handshake'))).output).not.toContain('authored')
  expect((await project.jest(snapshot('handshake'), { REFRESH: '1' })).output).not.toContain('authored')
})

describe('a recording is refused when it would write', () => {
  const value = 'pass-phrase-of-e2e'
  const cases = [
    {
      what: 'the key',
      said: `It is ${value}.`,
      env: { DEEPSEEK_API_KEY: value },
      kind: 'the value of DEEPSEEK_API_KEY',
    },
    { what: 'another secret of this machine', said: value, env: { NPM_TOKEN: value }, kind: 'the value of NPM_TOKEN' },
    { what: 'what looks like a key', said: `sk-${'0123456789abcdef'.repeat(2)}`, env: {}, kind: 'an API key (sk-…)' },
    { what: "the user's name", said: 'Hello, jqdoe!', env: { USER: 'jqdoe' }, kind: "the user's name" },
    {
      what: "the user's home",
      said: 'Look in /home/jqdoe/notes.',
      env: { HOME: '/home/jqdoe' },
      kind: "the user's home directory",
    },
  ]

  test.each(cases)('$what', async ({ said, env, kind }) => {
    await expectRefused(said, kind, env)
  })

  test('a key that is only in .env', async () => {
    writeFileSync(envFile, `DEEPSEEK_API_KEY=${value}\n`)
    await expectRefused(`It is ${value}.`, 'the value of DEEPSEEK_API_KEY', { DEEPSEEK_API_KEY: '' })
  })

  async function expectRefused(said: string, kind: string, env: Record<string, string>): Promise<void> {
    await withServer({ script: [said] }, async (server) => {
      const run = await project.jest(snapshot('text-turn'), { ...recordEnv(server), ...env })
      expect(run.status).toBe(1)
      expect(run.output).toMatch(/__fixtures__\/text-turn\/session\.jsonl:\d+: holds /)
      expect(run.output).toContain(`holds ${kind}`)
      expect(run.output).not.toContain(said)
    })
    expect(project.readFixtures()).toEqual(before)
  }
})
