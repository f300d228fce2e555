import type { Volatile } from 'jest-serializer-acp'

/** Reports a problem of a log, with its line from 1. */
export type ReportLine = (message: string, line?: number) => void

/** A request header in a log: what the model was told besides the history. */
export interface ToldHeader {
  /** Where in the log, as in `seq 3`. */
  place: string
  system: string | undefined
  /** The schemas of the tools, as JSON. */
  tools: unknown
}

/** A session log, as far as the environment needs to know it. */
export interface Log {
  /** The id of the session, and of the session that started it. */
  id?: string | undefined
  parent?: string | undefined
  /** When the session was created, in milliseconds: sessions that no step created are ordered by it. */
  createdAt?: number | undefined
  /** The request headers, in order. */
  told: readonly ToldHeader[]
  /** Whether it holds answers of the model, which a replay serves. */
  holdsModel: boolean
  /** Reports what is wrong with the model's part. @param isServed whether a replay serves it: there may be an override */
  checkModel?(isServed: boolean, report: ReportLine): void
  /** Reports values that change on every run. @param data paths that the user or the model chose */
  checkTokens?(data: readonly string[], report: ReportLine): void
  /** The invariant that the log of a finished run violates, as the rest of `expected … got …`; `undefined` if there is none. */
  invariantProblem?(): { expected: string; got: string } | undefined
}

/** A log that cannot be read. The line counts from 1; the message does not name the file. */
export class LogFormatError extends Error {
  override name = 'LogFormatError'
  readonly line: number | undefined

  constructor(problem: string, line?: number) {
    super(problem)
    this.line = line
  }
}

/** The format of an agent's session logs: everything that the environment knows about it. */
export interface LogFormat {
  /** Whether the agent persists logs at all. If not, the other members are not used. */
  readonly exists: boolean
  /** The extension of a log in a fixture: `jsonl` for `session.jsonl`, `session.1.jsonl`. */
  readonly extension: string
  /** How many lines at the top of a log `checkTokens` checks completely, so that other checks can skip them. */
  readonly headerLines?: number
  /** The text of the log of a run without a session; if left out, such a run has no log. */
  readonly noSession?: string
  /** Whether a file that the agent left is a log. @param path below `{{sessions}}`, with `/` */
  isLog(path: string): boolean
  /** Reads a log of a run or of a fixture. @throws LogFormatError */
  parse(text: string): Log
  /** Whether a log contains anything that the agent did. Other logs are not compared. */
  hasEvents(text: string): boolean
  /** The texts of the logs of one run, with volatile values as tokens. Normalising twice changes nothing. */
  normalize(texts: readonly string[], volatile?: Volatile): string[]
  /** Which event a line of a normalised log holds, as in `tool/call, turn 1, step 2`. */
  describeLine?(line: string): string | undefined
}
