import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ProjectCopy } from '@acp-snapshot/testing/project-copy'
import { providerScript, recordEnv, withServer } from './support/record.ts'
import { snapshot, TWO_WORKERS } from './support/snapshot-run.ts'

const project = new ProjectCopy()
const before = project.readFixtures()
const bin = 'packages/boot/bin/acp-agent.mjs'
const BOOTED = 'an agent was booted'
const WITH_REPORTER = "reporters: ['jest-environment-acp/reporter', 'default'],"

beforeEach(() => {
  project.edit(bin, 'const { entry', `process.stderr.write('${BOOTED}')\nprocess.exit(1)\nconst { entry`)
})
afterEach(() => {
  expect(project.readFixtures()).toEqual(before)
  project.restore()
})
afterAll(() => project.remove())

test.each([
  ['a replay', ['--selectProjects', 'snapshot', 'text-turn'], {}, 'npx jest text-turn --selectProjects snapshot'],
  ['workers', ['--selectProjects', 'snapshot', 'text-turn', ...TWO_WORKERS], {}, 'npx jest text-turn -w'],
  ['-u', ['--selectProjects=snapshot', 'text-turn', '-u'], {}, 'npx jest text-turn -u --selectProjects snapshot'],
  ['--ci', ['--select-projects', 'snapshot', 'text-turn', '--ci'], {}, 'npx jest text-turn --ci --selectProjects'],
  ['a recording', ['--selectProjects', 'snapshot', 'text-turn'], { RECORD: '1' }, 'RECORD=1 npx jest text-turn --sel'],
  ['REFRESH=1', ['--selectProjects', 'snapshot', 'text-turn'], { REFRESH: '1' }, 'REFRESH=1 npx jest text-turn --sel'],
  ['--ignoreProjects', ['--ignoreProjects', 'unit', 'corpus', 'e2e', 'text-turn'], {}, 'npx jest text-turn --ignore'],
])('a scenario name after the project names ends the run before an agent starts: %s', async (_, args, env, meant) => {
  const run = await project.jest(args, { ...recordEnv({ url: 'http://127.0.0.1:9' }), RECORD: '', ...env })
  expect(run).toMatchObject({ status: 1, output: expect.stringContaining(`To run the scenario text-turn: ${meant}`) })
  expect(run.output).not.toContain(BOOTED)
  expect(run.output).not.toMatch(/^(PASS|FAIL)/m)
})

test('so does a word that is neither a project nor a scenario', async () => {
  const run = await project.jest(['--selectProjects', 'snapshot', 'snapshots'])
  expect(run).toMatchObject({
    status: 1,
    output: expect.stringContaining('"snapshots" is not one (projects: unit, snap'),
  })
  expect(run.output).not.toContain(BOOTED)
})

test('without the reporter, the environment reports it in band', async () => {
  project.edit('jest.config.ts', WITH_REPORTER, '')
  const run = await project.jest(['--selectProjects', 'snapshot', 'text-turn', '-i'])
  expect(run).toMatchObject({ status: 1, output: expect.stringContaining('To run the scenario text-turn: npx jest') })
  expect(run.output).not.toContain(BOOTED)
})

test('a config with a single named project is checked, too', async () => {
  project.rewrite('jest.config.ts', (text) =>
    text
      .replace('const config: Config = {', 'const all: Config = {')
      .replace(
        'export default config',
        'const { projects = [], ...rest } = all\nexport default { ...rest, ...(projects[1] as object) }',
      ),
  )
  const run = await project.jest(['--selectProjects', 'snapshot', 'text-turn'])
  expect(run).toMatchObject({ status: 1, output: expect.stringContaining('is not one (projects: snapshot)') })
  expect(run.output).not.toContain(BOOTED)
})

describe('a recording says how many scenarios it may record', () => {
  const scenarios = readdirSync(project.fixtures).filter((name) =>
    existsSync(join(project.fixtures, name, 'input.json')),
  )
  const counted = (output: string) => output.match(/^RECORD=1: recording up to .*$/gm)

  test('in a run of all', async () => {
    const run = await project.jest(snapshot(), recordEnv({ url: 'http://127.0.0.1:9' }))
    const [line = ''] = counted(run.output) ?? []
    const [, recorded, overridden] =
      /up to (\d+) scenarios with the real model; (\d+) more are overridden/.exec(line) ?? []
    expect(Number(recorded) + Number(overridden)).toBe(scenarios.length)
    expect(run.output.match(/: "overridden": true, so it is compared/g)).toHaveLength(Number(overridden))
    expect(counted(run.output)).toHaveLength(1)
  })

  test('in a run of one', async () => {
    project.restore()
    await withServer({ script: providerScript('text-turn') }, async (server) => {
      const run = await project.jest(snapshot('text-turn'), recordEnv(server))
      expect(counted(run.output)).toEqual(['RECORD=1: recording up to 1 scenario with the real model'])
    })
  })

  test('and is silent when it is refused, or when nothing is recorded', async () => {
    const run = await project.jest([...snapshot('text-turn'), '--ci'], recordEnv({ url: 'http://127.0.0.1:9' }))
    expect(counted(run.output)).toBeNull()
    expect(counted((await project.jest(snapshot('text-turn'))).output)).toBeNull()
  })
})
