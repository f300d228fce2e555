import { changedFiles } from '@acp-snapshot/testing/file-tree'
import { ProjectCopy } from '@acp-snapshot/testing/project-copy'
import { recordEnv, withServer } from './support/record.ts'
import { expectGreen, scenariosThat, snapshot } from './support/snapshot-run.ts'

const project = new ProjectCopy()
afterEach(() => project.restore())
afterAll(() => project.remove())

test('a changed projection fails the replay; -u fixes the golden and leaves the log alone', async () => {
  const run = snapshot('text-turn', 'handshake')
  const recorded = await withServer({ script: ['Recorded just now.'] }, (server) =>
    project.jest(run, recordEnv(server)),
  )
  expectGreen(recorded)
  expectGreen(await project.jest([...run, '--ci']))

  const before = project.readFixtures()
  project.edit('packages/acp/src/projection.ts', "'agent_message_chunk'", "'agent_message_chunks'")
  const red = await project.jest([...run, '--ci'])
  expect(red).toMatchObject({ status: 1, output: expect.stringContaining('got      "agent_message_chunks"') })
  expect(red.output).toContain('the transcript differs from stdout.golden.jsonl')
  expect(scenariosThat('FAIL', red)).toEqual(['text-turn'])
  expect(project.readFixtures()).toEqual(before)

  expectGreen(await project.jest([...run, '-u']))
  expect(changedFiles(before, project.readFixtures())).toEqual(['text-turn/stdout.golden.jsonl'])
  expectGreen(await project.jest([...run, '--ci']))
})

test('a changed tool result fails until REFRESH=1, which keeps the chunks byte for byte', async () => {
  const run = snapshot('bash-exit-code')
  const log = 'bash-exit-code/session.jsonl'
  const before = project.readFixtures()
  project.edit('packages/tool-bash/src/outcome.ts', '[exit code: ', '[exit status: ')
  const red = await project.jest([...run, '--ci'])
  expect(red).toMatchObject({
    status: 1,
    output: expect.stringContaining('the session log differs from session.jsonl'),
  })

  const updated = await project.jest([...run, '-u'])
  expect(updated).toMatchObject({
    status: 1,
    output: expect.stringContaining('REFRESH=1 npx jest __fixtures__/bash-exit-code/ --selectProjects snapshot'),
  })
  expect(project.readFixtures()[log]).toBe(before[log])

  expectGreen(await project.jest(run, { REFRESH: '1' }))
  const after = project.readFixtures()
  expect(changedFiles(before, after)).toEqual([log, 'bash-exit-code/stdout.golden.jsonl'])
  expect(chunksOf(after[log])).toEqual(chunksOf(before[log]))
  expect(chunksOf(after[log]).length).toBeGreaterThan(10)
  expectGreen(await project.jest([...run, '--ci']))
})

test('a changed system prompt fails every scenario that calls a model; REFRESH=1 changes one line of one file', async () => {
  const before = project.readFixtures()
  const callers = Object.keys(before).flatMap((file) =>
    before[file]?.includes('"request/header"') ? [file.split('/')[0]] : [],
  )
  project.edit('examples/acp-agent/cordis.yml', 'be brief', 'be terse')
  const red = await project.jest([...snapshot(), '--ci'])
  expect(scenariosThat('FAIL', red)).toEqual([...new Set(callers)].sort())
  expect(red.output).toContain('differs from text-turn/system-prompt.golden.md')

  expectGreen(await project.jest(snapshot('text-turn'), { REFRESH: '1' }))
  const pin = 'text-turn/system-prompt.golden.md'
  const after = project.readFixtures()
  expect(changedFiles(before, after)).toEqual([pin])
  const changed = lines(after[pin]).filter((line, i) => line !== lines(before[pin])[i])
  expect(changed).toEqual(['Answer in plain text, and be terse.'])
  expectGreen(await project.jest([...snapshot(), '--ci']))
})

test('a changed tool description fails until REFRESH=1 updates the pin', async () => {
  const before = project.readFixtures()
  project.edit('packages/tool-bash/src/index.ts', 'Runs a command in bash', 'Executes a command in bash')
  const red = await project.jest([...snapshot('text-turn', 'unicode'), '--ci'])
  expect(scenariosThat('FAIL', red)).toEqual(['text-turn', 'unicode'])
  expectGreen(await project.jest(snapshot('text-turn'), { REFRESH: '1' }))
  expect(changedFiles(before, project.readFixtures())).toEqual(['text-turn/tool-schemas.golden.json'])
})

test('REFRESH=1 writes nothing when nothing has changed', async () => {
  const before = project.readFixtures()
  expectGreen(
    await project.jest(snapshot('multi-turn', 'cancel-mid-tool', 'two-sessions', 'handshake'), { REFRESH: '1' }),
  )
  expect(changedFiles(before, project.readFixtures())).toEqual([])
})

function chunksOf(log = ''): string[] {
  return lines(log).filter((line) => line.includes('"type":"assistant/chunk"'))
}

function lines(text = ''): string[] {
  return text.split('\n')
}
