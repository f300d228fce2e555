import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isEvent, parseSessionLog } from '@acp-snapshot/session'
import { createWorkplace } from 'jest-environment-acp/child'
import { readScenario, type Scenario } from 'jest-environment-acp/scenario'
import { normalizeSessionLogs } from 'jest-serializer-acp'
import { recordingDir } from './recordings.ts'

/**
 * Runs `use` with a recording as one of our scenarios, in a temp directory that is gone afterwards: its log normalised,
 * its override announced in `input.json`.
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

/** The recorded agent sent something of its own before it hung: its log has it, ours says it in the entry. */
function withRecordedChunks(override: string, log: string): string {
  const { events } = parseSessionLog(log, 'session.jsonl')
  const chunks = events.flatMap((event) => (isEvent(event, 'assistant/chunk') ? [event.data.chunk] : []))
  const entries = JSON.parse(override) as { kind: string }[]
  return JSON.stringify(entries.map((entry) => (entry.kind === 'hang' ? { ...entry, chunks } : entry)))
}
