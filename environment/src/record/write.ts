import { basename } from 'node:path'
import { checkChanges, type FixtureChanges } from '../guard/check-changes.ts'
import type { LogFormat } from '../logs/log-format.ts'
import { readFiles } from '../scenario/read-files.ts'
import type { ScenarioFiles } from '../scenario/tree.ts'
import { ScenarioError } from '../scenario-error.ts'
import { opaqueNote } from '../secrets/opaque-note.ts'
import { commitFiles } from './commit.ts'
import { changesOf, isSame, type PrintedSurface, type SurfaceRun } from './printed-run.ts'

/** How a fixture is written. */
export interface WriteOptions {
  /** The variables of this machine and of the run, of which no fixture may hold a secret. */
  env: NodeJS.ProcessEnv
  logFormat: LogFormat
}

/**
 * Writes surfaces of a replay. The guard looks at these alone: it has looked at the other files before the run.
 *
 * @throws FixtureError; ScenarioError where the model's answers would have to be made up; UsageError when the files
 * could not be put in place
 */
export function writeSurfaces(run: SurfaceRun, surfaces: readonly PrintedSurface[], options: WriteOptions): void {
  const { dir } = run.scenario
  const before = readFiles(dir)
  const changes = changing(before, changesOf(surfaces))
  requireModel(run, surfaces)
  checkChanges(dir, before, changes, { ...options, only: 'changes' })
  if (changes.size > 0) putChanges(dir, before, changes)
}

/**
 * A fixture that holds nothing of the model is made without a key only where the model is not called.
 *
 * @throws ScenarioError
 */
export function requireModel(run: SurfaceRun, surfaces: readonly PrintedSurface[]): void {
  const { scenario, logs } = run
  const isNew = surfaces.some(({ surface, expected }) => surface.rewrittenBy !== undefined && expected.size === 0)
  if (!isNew || scenario.input.overridden || logs.every(({ log }) => log.told.length === 0)) return
  const what = `scenario ${scenario.name}: the agent called the model, and the fixture holds no answers of it`
  throw new ScenarioError(`${what}. Nothing was written; RECORD=1 records the scenario`)
}

/** Puts what the guard has let through in place, and says on stderr what the guard could not look into. */
export function putChanges(dir: string, before: ScenarioFiles['files'], changes: FixtureChanges): void {
  commitFiles(dir, changes)
  const note = opaqueNote([{ name: basename(dir), files: before }])
  if (note !== undefined) process.stderr.write(`${note}\n`)
}

/** Those of the changes that change something. */
export function changing(before: ScenarioFiles['files'], changes: FixtureChanges): FixtureChanges {
  return new Map([...changes].filter(([path, content]) => !isSame(before.get(path), content)))
}
