import type { Action } from './action.cjs'
import type { JudgeTools, Outcome } from './record/judge-run.ts'
import type { SurfaceRun } from './record/printed-run.ts'
import type { PrintTools } from './surfaces/surface.ts'

/** The `acp` global. Each run cleans up before its promise settles. */
export interface AcpGlobal {
  /** The name of the scenario: that of its directory. */
  readonly scenario: string
  /** What the run does to the fixture; `verify` for an overridden scenario under RECORD=1. */
  readonly action: Action
  /** The titles of the compared surfaces, in order. */
  readonly surfaces: readonly string[]
  /** Runs the scenario as the action says: a recording runs it against the real model. */
  run(): Promise<SurfaceRun>
  /** Runs the scenario against its recording, or against the draft where there is one. */
  replay(): Promise<SurfaceRun>
  /** Compares a replay with the fixture, surface by surface, and writes what the action writes: once for each run. */
  judge(run: SurfaceRun, tools: JudgeTools): readonly Outcome[]
  /** Makes a run the draft of the scenario's fixture. */
  draft(run: SurfaceRun, tools: PrintTools): void
  /** Makes the draft the scenario's fixture. Returns what Jest counts: one result per snapshot. */
  keep(): readonly ('matches' | 'added' | 'updated')[]
}
