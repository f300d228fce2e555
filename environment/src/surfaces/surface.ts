import type { Action } from '../action.cjs'
import type { Log, LogFormat } from '../logs/log-format.ts'
import type { FinishedRun } from '../run/finished-run.ts'
import type { FixtureFault } from '../scenario/fault.ts'
import type { ScenarioInput } from '../scenario/input/parse-input.ts'
import type { ReportFault } from '../scenario/report-fault.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { FileContent, ScenarioFiles } from '../scenario/tree.ts'
import type { Mismatch } from './mismatch.ts'

/**
 * One thing that a run leaves behind, and that is compared with files of the fixture. The guard, the matchers and the
 * writer loop over the list of surfaces: all that is known of one stands in its own file.
 *
 * @typeParam Value what a finished run has of it
 */
export interface Surface<Value = unknown> {
  /** What messages call it: `transcript`. */
  readonly title: string
  readonly files: SurfaceFiles
  /** The actions that write its files. Each but `update` writes the whole fixture. */
  readonly writtenBy: readonly Action[]
  /** Those of them that go on from what the files hold, so that it must be right. */
  readonly rewrittenBy?: readonly Action[]
  /** Whether a run that only compares writes the files when there are none. */
  readonly createdWhenMissing: boolean
  /** What is wrong with the files as they are. */
  check(fixture: CheckedFixture, report: ReportFault): void
  /** What is wrong with the files of several scenarios together. @param complete whether these are all that there are */
  checkTogether?(root: string, scenarios: readonly InspectedScenario[], complete: boolean): FixtureFault[]
  /** What a finished run has of it. The run's directories are still there. @throws StepError */
  collect(run: FinishedRun): Value
  /** The stable content of each of its files, by path in the scenario's directory. */
  print(value: Value, tools: PrintTools): PrintedFiles
  /** The first difference from the fixture. @param printed what {@link print} has made of the value */
  compare(value: Value, comparison: Comparison): Mismatch | undefined
}

/** The files of a scenario's directory that belong to a surface. */
interface SurfaceFiles {
  /** How messages and documentation list them. */
  readonly label: string
  /** Whether a file is one of them. @param path in the scenario's directory, with `/` */
  has(path: string): boolean
  /** Whether they hold a stream in pieces, which are read as one text when secrets are looked for. */
  readonly streamed?: boolean
  /** Whether they may hold any bytes. Others are UTF-8 text with LF line ends. */
  readonly binary?: boolean
}

/** Contents by path. */
export type PrintedFiles = ReadonlyMap<string, FileContent>

/** What printing needs of Jest. */
export interface PrintTools {
  /** Prints a value with the project's `snapshotSerializers`. */
  serialize(value: unknown): string
}

/** A scenario as the guard sees it. */
export interface CheckedFixture {
  /** What is known of `input.json`, when it can be read. */
  input: ScenarioInput | undefined
  /** The files that can be read and are not about to be written anew. */
  files: ScenarioFiles['files']
  /** The names of all files, also of those that cannot be read. */
  present: ReadonlySet<string>
  /** The session logs that can be read, in the order of their sessions. */
  logs: ReadonlyMap<string, Log>
  action: Action
  /** Whether the run writes files that are missing. */
  createsMissing: boolean
  /** Whether the tree is complete, so that nothing may be missing. */
  complete: boolean
  /** The Jest command that runs the scenario. */
  command: string
  /** The paths that the user or the model chose, which are data. */
  data: readonly string[]
  logFormat: LogFormat
}

/** One of several scenarios that are checked together. */
export interface InspectedScenario {
  name: string
  /** Absent when `input.json` cannot be read. */
  input?: ScenarioInput | undefined
  /** Whether its fixture shows that the model is called. */
  callsModel: boolean
}

/** What a value is compared with. */
interface Comparison {
  scenario: Scenario
  /** The surface's files as the fixture has them. */
  expected: PrintedFiles
  /** The same as the run has them. */
  printed: PrintedFiles
}
