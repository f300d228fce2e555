import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isEvent, parseSessionLog } from '@acp-snapshot/session'
import { createWorkplace } from 'jest-environment-acp/child'
import { readScenario, type Scenario } from 'jest-environment-acp/scenario'
import { normalizeSessionLogs } from 'jest-serializer-acp'
import { recordingDir } from './recordings.ts'

/**
 * Calls `use` with a recording converted to a scenario: its log is normalised, and `input.json` declares its override.
 * The scenario is in a temp directory, which is removed afterwards.
 */
export async function withFixture<T>(recording: string, use: (scenario: Scenario) => Promise<T>): Promise<T> {
  const workplace = createWorkplace()
  try {
    const dir = join(workplace.root, recording)
    mkdirSync(dir)
    writeFixture(recordingDir(recording), dir)
    return await use(readScenario(dir))
  } finally {
    workplace.remove()
  }
}

function writeFixture(from: string, to: string): void {
  const read = (file: string) => readFileSync(join(from, file), 'utf8')
  const log = read('session.jsonl')
  writeFileSync(join(to, 'session.jsonl'), normalizeSessionLogs([log]).join(''))
  const overridden = existsSync(join(from, 'replay.override.json'))
  writeFileSync(join(to, 'input.json'), JSON.stringify({ ...JSON.parse(read('input.json')), overridden }))
  if (overridden) writeFileSync(join(to, 'replay.override.json'), withRecordedChunks(read('replay.override.json'), log))
}

/** The recorded agent sent chunks before it hung. They are in its log; our override has to contain them. */
function withRecordedChunks(override: string, log: string): string {
  const { events } = parseSessionLog(log, 'session.jsonl')
  const chunks = events.flatMap((event) => (isEvent(event, 'assistant/chunk') ? [event.data.chunk] : []))
  const entries = JSON.parse(override) as { kind: string }[]
  return JSON.stringify(entries.map((entry) => (entry.kind === 'hang' ? { ...entry, chunks } : entry)))
}
