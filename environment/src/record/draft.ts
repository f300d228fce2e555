import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Action } from '../action.cjs'
import { createWorkplace, type Workplace } from '../child/index.ts'
import { checkChanges, type FixtureChanges } from '../guard/check-changes.ts'
import { readScenario } from '../guard/read-scenario.ts'
import type { LogFormat } from '../logs/log-format.ts'
import { isOfWorkspace } from '../scenario/files.ts'
import { readFiles } from '../scenario/read-files.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { PrintTools } from '../surfaces/surface.ts'
import { changesOf, differs, type PrintedSurface, printRun, type SurfaceRun } from './printed-run.ts'
import { changing, putChanges, requireModel, type WriteOptions } from './write.ts'

/**
 * The fixture that a run is to become, in a temp directory: it is replayed there first, so that a recording which does
 * not replay leaves the fixture as it was.
 */
export class Draft {
  readonly #workplace: Workplace
  readonly #recorded: Scenario
  readonly #surfaces: readonly PrintedSurface[]
  readonly #changes: FixtureChanges

  /** @throws FixtureError for what the guard refuses, ScenarioError where the model's answers would have to be made up */
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
      if (content === undefined || isOfWorkspace(path)) continue
      mkdirSync(dirname(join(this.#dir, path)), { recursive: true })
      writeFileSync(join(this.#dir, path), content)
    }
  }

  /** The scenario as it will be. Its workspace, and a pin that another scenario holds, stay where they are. */
  scenario(logFormat: LogFormat): Scenario {
    const scenario = readScenario(this.#dir, { logFormat })
    const { workspace, pin, dir, command } = this.#recorded
    const named: Scenario['command'] = (_, flag) => command(dir, flag)
    return {
      ...scenario,
      command: named,
      ...(workspace !== undefined && { workspace }),
      ...(pin && !scenario.pin && { pin }),
    }
  }

  /**
   * Makes it the fixture: all files that change, together, and no other.
   *
   * @returns for each surface that Jest counts as a snapshot, what became of it
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
