import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Recordings of a real agent, beside the checkout. They are not part of this project. */
const CORPUS = join(__dirname, '..', '..', 'shared', 'corpus')

/** The longest possible timeout. For tests that start the agent: every wait in them has its own deadline. */
export const NO_TIMEOUT = 2 ** 31 - 1

/** A session log of the corpus. */
export interface RecordedLog {
  /** For example `text-turn/session.jsonl`. */
  name: string
  /** The absolute path of the recording's directory. */
  dir: string
  text: string
}

/** Defines tests over the recordings. Without recordings, defines one skipped test that names the missing directory. */
export function withRecordings(define: () => void): void {
  if (existsSync(CORPUS)) define()
  else test.skip(`recordings of other agents (no directory ${CORPUS})`, () => {})
}

/** The absolute path of a recording's directory. */
export function recordingDir(name: string): string {
  return join(CORPUS, name)
}

/** Every session log of the corpus, including those of child sessions. */
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

/** The values of a JSONL text. Empty lines are skipped. */
export function jsonLines(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)
}
