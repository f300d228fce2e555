import { ProjectCopy } from '@acp-snapshot/testing/project-copy'
import { FAULTS, idleTimeoutOf } from './support/faults.ts'
import { FULL } from './support/full.ts'
import { recordEnv, withServer } from './support/record.ts'
import { expectGreen, snapshot } from './support/snapshot-run.ts'

const SHARE = new Set(['HTTP 401', 'a reset', 'a cut', 'a stall', 'an answer that never finishes'])

const project = new ProjectCopy()
const before = project.readFixtures()
const baseURL = 'baseURL: !env [DEEPSEEK_BASE_URL, "https://api.deepseek.com"]'
afterEach(() => project.restore())
afterAll(() => project.remove())

/** `live-faults.test.ts` tests all of them, without Jest. */
const share = FAULTS.filter(({ fault }) => FULL || SHARE.has(fault))

test.each(share)('$fault fails the recording with its message, and nothing is written', async ({ answer, told }) => {
  project.edit('examples/acp-agent/cordis.yml', baseURL, `${baseURL}\n      idleTimeoutMs: ${idleTimeoutOf(answer)}`)
  await withServer({ script: [answer, 'Never asked for.'] }, async (server) => {
    const run = await project.jest(snapshot('text-turn'), recordEnv(server))
    expect(run).toMatchObject({ status: 1, output: expect.stringContaining(told) })
    expect(run.output).toContain('scenario text-turn, step 3 (prompt)')
    expect(server.requests).toHaveLength(1)
  })
  expect(project.readFixtures()).toEqual(before)
  expect(await project.leftovers()).toEqual([])
})

test('a failure in the last of several turns writes nothing', async () => {
  await withServer({ script: ['OK', { fault: 'status', status: 503 }] }, async (server) => {
    const run = await project.jest(snapshot('multi-turn'), recordEnv(server))
    expect(run).toMatchObject({ status: 1, output: expect.stringContaining('The server is overloaded') })
  })
  expect(project.readFixtures()).toEqual(before)
})

test('a provider script that is too short fails the recording, and says so', async () => {
  await withServer({ script: ['OK'] }, async (server) => {
    const run = await project.jest(snapshot('multi-turn'), recordEnv(server))
    expect(run).toMatchObject({
      status: 1,
      output: expect.stringContaining('got call 2, but the script has only 1 answers'),
    })
  })
  expect(project.readFixtures()).toEqual(before)
})

test.each([
  ['no [DONE]', { fault: 'no-done', said: 'Whole: 漢字.' } as const],
  ['packets that split characters', { fault: 'split-utf8', said: 'Whole: 漢字.' } as const],
])('%s is not an error: the whole answer is recorded', async (_, answer) => {
  await withServer({ script: [answer], delayMs: 5 }, async (server) => {
    expectGreen(await project.jest(snapshot('text-turn'), recordEnv(server)))
  })
  expect(project.readFixtures()['text-turn/session.jsonl']).toContain('{"type":"text","text":"Whole: 漢字."}')
})
