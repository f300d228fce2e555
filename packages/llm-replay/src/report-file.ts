import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { parseReplayReport, type ReplayReportLine } from '@acp-snapshot/session'

/** The report file: told to the environment, and read back by the process that a `restart` starts. */
export class ReplayReport {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  /** What earlier processes of this run reported. */
  read(): ReplayReportLine[] {
    return existsSync(this.#file) ? parseReplayReport(readFileSync(this.#file, 'utf8')) : []
  }

  /** Appends a line; it has left this process when the call returns. */
  write(line: ReplayReportLine): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`)
  }
}
