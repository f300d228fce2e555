import { basename } from 'node:path'
import { checkChanges, type FixtureChanges } from '../guard/check-changes.ts'
import type { LogFormat } from '../logs/log-format.ts'
import { readFiles } from '../scenario/read-files.ts'
import type { ScenarioFiles } from '../scenario/tree.ts'
import { ScenarioError } from '../scenario-error.ts'
import { opaqueNote } from '../secrets/opaque-note.ts'
import { commitFiles } from './commit.ts'
import { changesOf, isSame, type PrintedSurface, type SurfaceRun } from './printed-run.ts'

export interface WriteOptions {
  /** The variables of this machine and of the run: no fixture may contain their secrets. */
  env: NodeJS.ProcessEnv
  logFormat: LogFormat
}

/**
 * Writes surfaces of a replay. The guard checks only these: it checked the other files before the run.
 *
 * @throws FixtureError when the guard refuses the files; ScenarioError when the model's answers are missing; UsageError
 * when the files could not be written
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
 * Without a recording, a new fixture can be written only if the agent does not call the model.
 *
 * @throws ScenarioError when the agent called the model and the fixture has no answers
 */
export function requireModel(run: SurfaceRun, surfaces: readonly PrintedSurface[]): void {
  const { scenario, logs } = run
  const isNew = surfaces.some(({ surface, expected }) => surface.rewrittenBy !== undefined && expected.size === 0)
  if (!isNew || scenario.input.overridden || logs.every(({ log }) => log.told.length === 0)) return
  const what = `scenario ${scenario.name}: the agent called the model, but the fixture has no recorded answers`
  throw new ScenarioError(`${what}. Nothing was written; RECORD=1 records the scenario`)
}

/** Writes checked changes, and lists on stderr the files that could not be searched for secrets. */
export function putChanges(dir: string, before: ScenarioFiles['files'], changes: FixtureChanges): void {
  commitFiles(dir, changes)
  const note = opaqueNote([{ name: basename(dir), files: before }])
  if (note !== undefined) process.stderr.write(`${note}\n`)
}

/** The changes that differ from the current files. */
export function changing(before: ScenarioFiles['files'], changes: FixtureChanges): FixtureChanges {
  return new Map([...changes].filter(([path, content]) => !isSame(before.get(path), content)))
}
