import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ProjectCopy } from '@acp-snapshot/testing/project-copy'
import { scenariosThat, snapshot, TWO_WORKERS } from './support/snapshot-run.ts'

const project = new ProjectCopy()
afterAll(() => project.remove())

test('two shards together run each scenario once', async () => {
  const all = readdirSync(project.fixtures).filter((name) => existsSync(join(project.fixtures, name, 'input.json')))
  const runs = [
    await project.jest([...snapshot(), '--ci', '--shard=1/2']),
    await project.jest([...snapshot(), '--ci', '--shard=2/2']),
  ]
  expect(runs.map(({ status }) => status)).toEqual([0, 0])
  const [first = [], second = []] = runs.map((run) => scenariosThat('PASS', run))
  expect([...first, ...second].sort()).toEqual(all.sort())
  expect(Math.abs(first.length - second.length)).toBeLessThanOrEqual(1)
})

test('two workers give the same results as a run in band', async () => {
  const scenarios = ['error-mid-stream', 'multi-turn', 'tool-call-turn', 'two-sessions']
  project.edit('packages/acp/src/projection.ts', "'tool_call_update'", "'tool_call_updates'")
  for (const workers of [['-i'], TWO_WORKERS]) {
    const run = await project.jest([...snapshot(...scenarios), '--ci', ...workers])
    expect(scenariosThat('FAIL', run)).toEqual(['tool-call-turn'])
    expect(scenariosThat('PASS', run)).toEqual(scenarios.filter((name) => name !== 'tool-call-turn'))
    expect(run.output).toContain('first at frame 11 (step 3, prompt), params.update.sessionUpdate:')
  }
  project.restore()
})

test.each([
  ['a path', ['__fixtures__/text-turn/']],
  ['a part of a path', ['text-tu']],
  ['a test name', ['-t', 'text-turn']],
])('a filter by %s runs one scenario', async (_, args) => {
  const run = await project.jest([...args, '--selectProjects', 'snapshot', '--ci'])
  expect(run).toMatchObject({ status: 0, output: expect.stringContaining('1 passed') })
  expect(scenariosThat('PASS', run)).toEqual(['text-turn'])
})

describe('a golden whose scenario is gone', () => {
  const golden = join(project.fixtures, 'gone', 'stdout.golden.jsonl')

  // Only a run of all scenarios looks for obsolete goldens. Few scenarios keep it fast.
  beforeEach(() => {
    const kept = ['handshake', 'reject-extra-dirs', 'README.md']
    for (const name of readdirSync(project.fixtures).filter((name) => !kept.includes(name))) {
      rmSync(join(project.fixtures, name), { recursive: true })
    }
    mkdirSync(join(project.fixtures, 'gone'))
    writeFileSync(golden, '{}\n')
  })
  afterEach(() => project.restoreFixtures())

  test('is reported as obsolete, and kept', async () => {
    const run = await project.jest(snapshot())
    expect(run).toMatchObject({ status: 0, output: expect.stringContaining('1 snapshot file obsolete') })
    expect(existsSync(golden)).toBe(true)
  })

  test('is removed under -u', async () => {
    const run = await project.jest([...snapshot(), '-u'])
    expect(run).toMatchObject({ status: 0, output: expect.stringContaining('1 snapshot file removed') })
    expect(existsSync(golden)).toBe(false)
  })

  test('fails a run with --ci, which names the file', async () => {
    const run = await project.jest([...snapshot(), '--ci'])
    expect(run.output).toContain(
      `goldens without an input.json: ${join('__fixtures__', 'gone', 'stdout.golden.jsonl')}`,
    )
    expect(run.status).toBe(1)
    expect(existsSync(golden)).toBe(true)
  })

  test('is ignored by a filtered run', async () => {
    const run = await project.jest([...snapshot('handshake'), '-u'])
    expect(run.status).toBe(0)
    expect(run.output).not.toContain('obsolete')
    expect(run.output).not.toContain('removed')
    expect(existsSync(golden)).toBe(true)
  })
})
