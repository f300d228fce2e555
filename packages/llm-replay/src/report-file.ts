import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { parseReplayReport, type ReplayReportLine } from '@acp-snapshot/session'

/** The report file. The environment reads it, and so does the process that a `restart` starts. */
export class ReplayReport {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  /** Reads what earlier processes of this run reported. */
  read(): ReplayReportLine[] {
    return existsSync(this.#file) ? parseReplayReport(readFileSync(this.#file, 'utf8')) : []
  }

  /** Appends a line. It is in the file when the call returns, so it survives a kill of this process. */
  write(line: ReplayReportLine): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`)
  }
}
