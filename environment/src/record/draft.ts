import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Action } from '../action.cjs'
import { createWorkplace, type Workplace } from '../child/index.ts'
import { checkChanges, type FixtureChanges } from '../guard/check-changes.ts'
import { readScenario } from '../guard/read-scenario.ts'
import type { LogFormat } from '../logs/log-format.ts'
import { isOfSeed } from '../scenario/files.ts'
import { readFiles } from '../scenario/read-files.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { PrintTools } from '../surfaces/surface.ts'
import { changesOf, differs, type PrintedSurface, printRun, type SurfaceRun } from './printed-run.ts'
import { changing, putChanges, requireModel, type WriteOptions } from './write.ts'

/**
 * A new fixture in a temp directory. It is replayed there before it replaces the real one, so a recording that does not
 * replay leaves the fixture unchanged.
 */
export class Draft {
  readonly #workplace: Workplace
  readonly #recorded: Scenario
  readonly #surfaces: readonly PrintedSurface[]
  readonly #changes: FixtureChanges

  /** @throws FixtureError when the guard refuses the files; ScenarioError when the model's answers are missing */
  constructor(run: SurfaceRun, action: Action, tools: PrintTools, options: WriteOptions) {
    const { scenario } = run
    this.#recorded = scenario
    this.#surfaces = printRun(run, tools)
    this.#changes = changesOf(this.#surfaces)
    if (action !== 'record') requireModel(run, this.#surfaces)
    const before = readFiles(scenario.dir)
    checkChanges(scenario.dir, before, this.#changes, options)
    this.#workplace = createWorkplace()
    try {
      this.#write(new Map([...before, ...this.#changes]))
    } catch (error) {
      this.remove()
      throw error
    }
  }

  get #dir(): string {
    return join(this.#workplace.tmp, this.#recorded.name)
  }

  #write(files: FixtureChanges): void {
    mkdirSync(this.#dir)
    for (const [path, content] of files) {
      if (content === undefined || isOfSeed(path)) continue
      mkdirSync(dirname(join(this.#dir, path)), { recursive: true })
      writeFileSync(join(this.#dir, path), content)
    }
  }

  /** The new scenario. Its seeds, and a pin in another scenario, are still read from their original places. */
  scenario(logFormat: LogFormat): Scenario {
    const scenario = readScenario(this.#dir, { logFormat })
    const { workspace, home, pin, dir, command } = this.#recorded
    const named: Scenario['command'] = (_, flag) => command(dir, flag)
    return {
      ...scenario,
      command: named,
      ...(workspace !== undefined && { workspace }),
      ...(home !== undefined && { home }),
      ...(pin && !scenario.pin && { pin }),
    }
  }

  /**
   * Replaces the fixture: writes all changed files together, and no others.
   *
   * @returns the result for each surface that Jest counts as a snapshot
   */
  commit(): ('matches' | 'added' | 'updated')[] {
    const { dir } = this.#recorded
    const before = readFiles(dir)
    const changed = changing(before, this.#changes)
    if (changed.size > 0) putChanges(dir, before, changed)
    return this.#surfaces
      .filter(({ surface }) => surface.writtenBy.includes('update'))
      .map((printed) => (!differs(printed) ? 'matches' : printed.expected.size === 0 ? 'added' : 'updated'))
  }

  remove(): void {
    this.#workplace.remove()
  }
}
