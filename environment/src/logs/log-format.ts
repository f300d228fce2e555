import type { Volatile } from 'jest-serializer-acp'

/** What is wrong with a log, and on which of its lines, from 1. */
export type ReportLine = (message: string, line?: number) => void

/** What the model was told besides the history, at one place of a log. */
export interface ToldHeader {
  /** Where in the log, as in `seq 3`. */
  place: string
  system: string | undefined
  /** The schemas of the tools, as JSON. */
  tools: unknown
}

/** One session log, as far as the environment must know it. */
export interface Log {
  /** The id of the session, and of the session that started it. */
  id?: string | undefined
  parent?: string | undefined
  /** When the session was created, in milliseconds: of two sessions that no step made, the older one comes first. */
  createdAt?: number | undefined
  /** What the model was told, request header by request header. */
  told: readonly ToldHeader[]
  /** Whether it holds answers of the model, which a replay serves. */
  holdsModel: boolean
  /** Reports what is wrong with the model's part. @param isServed whether a replay serves it: there may be an override */
  checkModel?(isServed: boolean, report: ReportLine): void
  /** Reports values that change on every run. @param data paths that the user or the model chose */
  checkTokens?(data: readonly string[], report: ReportLine): void
  /** What does not hold for the log of a finished run, completing `expected … got …`; nothing when all is well. */
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

/** What the session logs of an agent are: everything that the environment knows of their format. */
export interface LogFormat {
  /** Whether the agent persists logs at all. Without them the other members are never asked. */
  readonly exists: boolean
  /** The extension of a log in a fixture: `jsonl` for `session.jsonl`, `session.1.jsonl`. */
  readonly extension: string
  /** How many lines at the top of a log `checkTokens` looks at whole, so that nobody else needs to. */
  readonly headerLines?: number
  /** The text of the log of a run that made no session; without it, such a run has no log. */
  readonly noSession?: string
  /** Whether a file that the agent left is a log. @param path below `{{sessions}}`, with `/` */
  isLog(path: string): boolean
  /** Reads a log of a run or of a fixture. @throws LogFormatError */
  parse(text: string): Log
  /** Whether a log says anything of what the agent did. One that does not is left out of the comparison. */
  hasEvents(text: string): boolean
  /** The texts of the logs of one run, with volatile values as tokens. Normalising twice changes nothing. */
  normalize(texts: readonly string[], volatile?: Volatile): string[]
  /** Which event a line of a normalised log holds, as in `tool/call, turn 1, step 2`. */
  describeLine?(line: string): string | undefined
}
