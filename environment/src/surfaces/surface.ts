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
 * One result of a run that is compared with files of the fixture. The guard, the matchers and the writer loop over the
 * list of surfaces; everything about one surface is in its own file.
 *
 * @typeParam Value the value that {@link collect} reads from a finished run
 */
export interface Surface<Value = unknown> {
  /** Its name in messages: `transcript`. */
  readonly title: string
  readonly files: SurfaceFiles
  /** The actions that write its files. All except `update` write the complete fixture. */
  readonly writtenBy: readonly Action[]
  /** The actions of `writtenBy` that also read the files, so the files must be valid. */
  readonly rewrittenBy?: readonly Action[]
  /** Whether `verify` writes the files when there are none. */
  readonly createdWhenMissing: boolean
  /** Reports faults of the surface's files in one fixture. */
  check(fixture: CheckedFixture, report: ReportFault): void
  /** Returns faults that only several scenarios together show. @param complete whether these are all scenarios */
  checkTogether?(root: string, scenarios: readonly InspectedScenario[], complete: boolean): FixtureFault[]
  /** Reads the value from a finished run, while its directories still exist. @throws StepError if it cannot be stored */
  collect(run: FinishedRun): Value
  /** The normalised content of each of its files, by path in the scenario's directory. */
  print(value: Value, tools: PrintTools): PrintedFiles
  /** The first difference from the fixture; `undefined` when there is none. */
  compare(value: Value, comparison: Comparison): Mismatch | undefined
}

/** The files of a scenario's directory that belong to a surface. */
interface SurfaceFiles {
  /** How messages and documentation list them. */
  readonly label: string
  /** Whether a file belongs to the surface. @param path in the scenario's directory, with `/` */
  has(path: string): boolean
  /** Whether they contain streams in pieces, which are joined for the search for secrets. */
  readonly streamed?: boolean
  /** Whether they may contain any bytes. Otherwise they are UTF-8 text with LF line endings. */
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
  /** The parsed `input.json`; `undefined` when it cannot be read. */
  input: ScenarioInput | undefined
  /** The readable files, without those that the run will overwrite. */
  files: ScenarioFiles['files']
  /** The names of all files, including unreadable ones. */
  present: ReadonlySet<string>
  /** The readable session logs, by path, in the order of their sessions. */
  logs: ReadonlyMap<string, Log>
  action: Action
  /** Whether the run writes missing files. */
  createsMissing: boolean
  /** Whether the tree is complete, so that missing files are faults. */
  complete: boolean
  /** The Jest command that runs the scenario. */
  command: string
  /** Temp paths that the user or the model chose: they are the same in every run. */
  data: readonly string[]
  logFormat: LogFormat
}

/** One scenario in a check across scenarios. */
export interface InspectedScenario {
  name: string
  /** Absent when `input.json` cannot be read. */
  input?: ScenarioInput | undefined
  /** Whether the logs in its fixture contain a model call. */
  callsModel: boolean
}

/** The other arguments of a comparison. */
interface Comparison {
  scenario: Scenario
  /** The surface's files in the fixture. */
  expected: PrintedFiles
  /** The surface's files from the run: the result of {@link Surface.print}. */
  printed: PrintedFiles
}
