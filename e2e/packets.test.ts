import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ProjectCopy } from '@acp-snapshot/testing/project-copy'
import { acp } from 'acp-agent-example/snapshot-options'
import { parseOptions, runScenario } from 'jest-environment-acp/run'
import { readScenario } from 'jest-environment-acp/scenario'
import { normalizeSessionLogs, normalizeTranscript } from 'jest-serializer-acp'
import { FULL } from './support/full.ts'
import { recordEnv, withServer } from './support/record.ts'
import { expectGreen, snapshot } from './support/snapshot-run.ts'

jest.setTimeout(1_800_000)

/** `E2E_FULL=1` makes ten recordings and a thousand replays. That takes some minutes. */
const [RECORDINGS, REPLAYS] = FULL ? [10, 100] : [4, 3]
const AT_ONCE = 2

const SAID =
  'A plain answer, long enough to be cut in many ways: 漢字かな交じり文, 👩‍👩‍👧‍👦, é as e\u0301, שלום, and \u2028 within.'

const project = new ProjectCopy()
const scenario = join(project.fixtures, 'text-turn')
const options = parseOptions(acp, project.dir)
afterAll(() => project.remove())

test(`${RECORDINGS} recordings with random packets and delays differ, and each of ${REPLAYS} replays gives the same bytes as its recording`, async () => {
  const recordings = new Set<string>()
  for (let seed = 1; seed <= RECORDINGS; seed++) {
    await withServer({ script: [SAID], seed: seed * 1000, packetBytes: 40, delayMs: 3 }, async (server) => {
      expectGreen(await project.jest(snapshot('text-turn'), recordEnv(server)))
    })
    const recorded = readSurfaces()
    expect(recorded.logs[0]).toContain(JSON.stringify({ type: 'text', text: SAID }))
    recordings.add(recorded.logs.join())
    for (let i = 0; i < REPLAYS; i += AT_ONCE) {
      const runs = Array.from({ length: Math.min(AT_ONCE, REPLAYS - i) }, replay)
      for (const replayed of await Promise.all(runs)) expect(replayed).toEqual(recorded)
    }
  }
  expect(recordings.size).toBe(RECORDINGS)
})

interface Surfaces {
  transcript: string
  logs: string[]
}

function readSurfaces(): Surfaces {
  const read = (name: string) => readFileSync(join(scenario, name), 'utf8')
  return { transcript: read('stdout.golden.jsonl'), logs: [read('session.jsonl')] }
}

async function replay(): Promise<Surfaces> {
  const { transcript, logs, volatile } = await runScenario(readScenario(scenario), options, {
    signal: new AbortController().signal,
  })
  return {
    transcript: `${normalizeTranscript(transcript.frames, transcript.volatile).join('\n')}\n`,
    logs: normalizeSessionLogs(
      logs.map(({ text }) => text),
      volatile,
    ),
  }
}
