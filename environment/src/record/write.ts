import { basename } from 'node:path'
import { ScenarioError } from '../run/error.ts'
import type { ScenarioRun } from '../run/run-scenario.ts'
import { checkFixture } from '../scenario/check.ts'
import { GOLDEN, LOG, roleOf } from '../scenario/files.ts'
import { opaqueNote } from '../scenario/opaque.ts'
import { readFiles } from '../scenario/read.ts'
import type { ScenarioFiles } from '../scenario/tree.ts'
import { commitFiles } from './commit.ts'
import { composeFixture } from './compose.ts'

/** The new text of each file of a fixture, by name; `undefined` removes it. */
export type FixtureChanges = ReadonlyMap<string, string | undefined>

/** How a fixture is written. */
export interface WriteOptions {
  /** Whether the agent persists session logs. */
  sessionLogs: boolean
  /** The variables of this machine and of the run, of which no fixture may hold a secret. */
  env: NodeJS.ProcessEnv
}

/**
 * What a recorded or refreshed run makes of the scenario's fixture, once the guard has let it through.
 *
 * @param golden the text of the transcript
 * @throws FixtureError
 */
export function checkedFixture(run: ScenarioRun, golden: string, { sessionLogs, env }: WriteOptions): FixtureChanges {
  const files = composeFixture(run, golden, sessionLogs)
  checkFixture(run.scenario.dir, readFiles(run.scenario.dir), files, { env, sessionLogs })
  return files
}

/**
 * Writes what a replay may write: the golden, and the logs of a scenario that has none yet. The guard looks at these
 * alone: it has looked at the other files before the run.
 *
 * @param golden the text of the transcript
 * @throws FixtureError, or Error when the files could not be put in place
 */
export function writeReplayed(run: ScenarioRun, golden: string, { sessionLogs, env }: WriteOptions): void {
  const { dir } = run.scenario
  const before = readFiles(dir)
  const composed = composeFixture(run, golden, sessionLogs)
  const isNew = (name: string) => name === GOLDEN || (!before.has(LOG) && roleOf(name) === 'log')
  const changes = changesOf(before, new Map([...composed].filter(([name]) => isNew(name))))
  if (changes.has(LOG)) refuseModelCalls(run)
  checkFixture(dir, before, changes, { env, sessionLogs, only: 'changes' })
  if (changes.size > 0) putChanges(dir, before, changes)
}

/**
 * A scenario without a recording is made without a key only where the model is not called.
 *
 * @throws ScenarioError
 */
export function refuseModelCalls({ scenario, pins }: ScenarioRun): void {
  if (pins.length === 0 || scenario.input.overridden) return
  const what = `scenario ${scenario.name}: the agent called the model, and ${LOG} does not exist`
  throw new ScenarioError(`${what}. Nothing was written; RECORD=1 records the scenario`)
}

/** Puts what the guard has let through in place, and says on stderr what the guard could not look into. */
export function putChanges(dir: string, before: ScenarioFiles['files'], changes: FixtureChanges): void {
  commitFiles(dir, changes)
  const note = opaqueNote([{ name: basename(dir), files: before }])
  if (note !== undefined) process.stderr.write(`${note}\n`)
}

/** Those of the changes that change something. */
export function changesOf(before: ReadonlyMap<string, unknown>, files: FixtureChanges): FixtureChanges {
  return new Map([...files].filter(([name, text]) => before.get(name) !== text))
}
