import { watch } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { LlmServer, ServerAnswer } from '@acp-snapshot/llm-server'
import { changedFiles } from '@acp-snapshot/testing/file-tree'
import { ProjectCopy, type StartedJest } from '@acp-snapshot/testing/project-copy'
import { STAGING } from 'jest-environment-acp/scenario'
import { FULL } from './support/full.ts'
import { recordEnv, withServer } from './support/record.ts'
import { expectGreen, snapshot, TWO_WORKERS } from './support/snapshot-run.ts'

const TENTHS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
const KILLS = [
  { whom: 'the group', args: [...snapshot('text-turn'), '-i'], moments: TENTHS.filter((n) => FULL || n % 2 === 0) },
  // Its two workers outlive it for a moment.
  {
    whom: 'Jest alone',
    args: [...snapshot('text-turn', 'unicode'), ...TWO_WORKERS],
    moments: TENTHS.filter((n) => FULL || n % 2 === 1),
  },
] as const

/** Given as chunks, so that every request gets the same ones: the server cuts a plain text at random. */
const ANSWER: ServerAnswer = {
  kind: 'chunks',
  chunks: [
    { type: 'text-delta', index: 0, text: 'Another answer.' },
    { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } },
    { type: 'finish', reason: { kind: 'stop' } },
  ],
}

const project = new ProjectCopy()
afterAll(() => project.remove())

describe.each(KILLS)('SIGKILL of $whom', ({ whom, args, moments }) => {
  let before: Record<string, string>
  let after: Record<string, string>
  let duration: number

  beforeAll(async () => {
    project.restore()
    before = project.readFixtures()
    // The first run fills Jest's cache; the second one is timed.
    await record((run) => run.done)
    duration = await record(async (run) => {
      const start = performance.now()
      expectGreen(await run.done)
      return performance.now() - start
    })
    after = project.readFixtures()
    expect(changedFiles(before, after)).toContain('text-turn/session.jsonl')
  })

  beforeEach(() => project.restore())

  test.each(moments)(
    'during tenth %i of a recording leaves all old files or all new ones, and no process',
    async (tenth) => {
      await record(async (run) => {
        await delay(((tenth + 0.5) / TENTHS.length) * duration)
        run.kill(whom)
        await run.done
      })
      await expectOldOrNew()
    },
  )

  test.each([1, 2])('as soon as a recording starts to write leaves all old files or all new ones (%i)', async () => {
    await record(async (run) => {
      const watcher = watch(project.fixtures, (_, name) => name?.startsWith(STAGING) && run.kill(whom))
      await run.done
      watcher.close()
    })
    await expectOldOrNew()
  })

  function record<T>(use: (run: StartedJest) => Promise<T>): Promise<T> {
    return withServer({ script: [ANSWER], repeat: true }, (server: LlmServer) =>
      use(project.startJest(args, recordEnv(server))),
    )
  }

  async function expectOldOrNew(): Promise<void> {
    expect(await project.leftovers()).toEqual([])
    const now = project.readFixtures()
    const [old, fresh] = [changedFiles(before, now), changedFiles(after, now)].map(
      (files) => new Set(files.map(scenarioOf)),
    )
    expect([...new Set(Object.keys(now).map(scenarioOf))].filter((name) => old?.has(name) && fresh?.has(name))).toEqual(
      [],
    )
    expect(Object.keys(now).sort()).toEqual(Object.keys(before).sort())
  }
})

function scenarioOf(file: string): string {
  return file.split('/')[0] ?? file
}
