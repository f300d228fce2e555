import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Recordings of a real agent, beside the checkout. They are not part of this project. */
const CORPUS = join(__dirname, '..', '..', 'shared', 'corpus')

/** For tests that start the agent: every wait of theirs has its own deadline. The longest time-out that a timer takes. */
export const NO_TIMEOUT = 2 ** 31 - 1

/** A session log of the corpus. */
export interface RecordedLog {
  /** As in `text-turn/session.jsonl`. */
  name: string
  /** The absolute path of the recording's directory. */
  dir: string
  text: string
}

/** Defines tests over the recordings; without recordings, one skipped test that says where they were looked for. */
export function withRecordings(define: () => void): void {
  if (existsSync(CORPUS)) define()
  else test.skip(`recordings of other agents (no directory ${CORPUS})`, () => {})
}

/** The absolute path of a recording's directory. */
export function recordingDir(name: string): string {
  return join(CORPUS, name)
}

/** Every session log of the corpus, those of child sessions too. */
export function recordedLogs(): RecordedLog[] {
  return readdirSync(CORPUS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => {
      const dir = recordingDir(entry.name)
      const files = readdirSync(dir).filter((file) => /^session(\.\d+)?\.jsonl$/.test(file))
      return files.map((file) => ({
        name: `${entry.name}/${file}`,
        dir,
        text: readFileSync(join(dir, file), 'utf8'),
      }))
    })
}

/** The non-empty lines of a JSONL text, as values. */
export function jsonLines(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)
}
