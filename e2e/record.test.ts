import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { changedFiles } from '@acp-snapshot/testing/file-tree'
import { ProjectCopy } from '@acp-snapshot/testing/project-copy'
import { KEY, providerScript, recordEnv, withServer } from './support/record.ts'
import { expectGreen, scenariosThat, snapshot, TWO_WORKERS } from './support/snapshot-run.ts'

const RECORDED = [
  'bash-exit-code',
  'long-reasoning',
  'multi-turn',
  'parallel-tool-calls',
  'text-turn',
  'tool-call-turn',
  'unicode',
]

const project = new ProjectCopy()
afterEach(() => project.restore())
afterAll(() => project.remove())

test("RECORD=1 writes the scenario's log and golden, no other file, and all scenarios pass without the provider", async () => {
  const before = project.readFixtures()
  await withServer({ script: ['Recorded just now.'] }, async (server) => {
    const run = await project.jest(snapshot('text-turn'), recordEnv(server))
    expect(run).toMatchObject({ status: 0, output: expect.stringContaining('1 snapshot updated') })
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`])
  })
  const after = project.readFixtures()
  expect(changedFiles(before, after)).toEqual(['text-turn/session.jsonl', 'text-turn/stdout.golden.jsonl'])
  expect(after['text-turn/session.jsonl']).toContain('{"type":"text","text":"Recorded just now."}')
  expectGreen(await project.jest([...snapshot(), '--ci']))
})

test('recording every recorded scenario again, from its input alone, gives the committed fixtures', async () => {
  const before = project.readFixtures()
  for (const file of Object.keys(before)) {
    const [scenario = '', name] = file.split('/')
    if (RECORDED.includes(scenario) && name !== 'input.json') rmSync(join(project.fixtures, file))
  }
  for (const scenario of ['text-turn', ...RECORDED.filter((name) => name !== 'text-turn')]) {
    await withServer({ script: providerScript(scenario) }, async (server) => {
      expectGreen(await project.jest(snapshot(scenario), recordEnv(server)))
      expect(server.requests).toHaveLength(providerScript(scenario).length)
    })
  }
  expect(changedFiles(before, project.readFixtures())).toEqual([])
})

test('two workers record several scenarios in parallel', async () => {
  const scenarios = ['long-reasoning', 'text-turn', 'unicode']
  const before = project.readFixtures()
  await withServer({ script: ['The same to everybody.'], repeat: true }, async (server) => {
    const run = await project.jest([...snapshot(...scenarios), ...TWO_WORKERS], recordEnv(server))
    expect(scenariosThat('PASS', run)).toEqual(scenarios)
    expect(server.requests).toHaveLength(scenarios.length)
  })
  const files = scenarios.flatMap((name) => [`${name}/session.jsonl`, `${name}/stdout.golden.jsonl`])
  expect(changedFiles(before, project.readFixtures())).toEqual(files)
  expect(await project.leftovers()).toEqual([])
})
