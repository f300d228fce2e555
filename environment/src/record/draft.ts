import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createWorkplace } from '../child/index.ts'
import type { ScenarioRun } from '../run/run-scenario.ts'
import { roleOf } from '../scenario/files.ts'
import { readFiles, readScenario, type Scenario } from '../scenario/read.ts'
import { changesOf, type FixtureChanges, putChanges } from './write.ts'

/**
 * The fixture that a run is to become, in a temp directory: it is replayed there first, so that a recording which does
 * not replay leaves the fixture as it was.
 */
export class Draft {
  readonly #workplace = createWorkplace()
  readonly #recorded: Scenario
  readonly #changes: FixtureChanges

  /** @param changes what the guard has let through */
  constructor({ scenario }: ScenarioRun, changes: FixtureChanges) {
    this.#recorded = scenario
    this.#changes = changes
    mkdirSync(this.#dir)
    for (const [name, content] of new Map([...readFiles(scenario.dir), ...changes])) {
      if (content !== undefined && roleOf(name) !== 'workspace') writeFileSync(join(this.#dir, name), content)
    }
  }

  get #dir(): string {
    return join(this.#workplace.tmp, this.#recorded.name)
  }

  /** The scenario as it will be. Its workspace, and a pin that another scenario holds, stay where they are. */
  scenario(sessionLogs: boolean): Scenario {
    const scenario = readScenario(this.#dir, { sessionLogs })
    const { workspace, pin, dir, command } = this.#recorded
    const named: Scenario['command'] = (_, flag) => command(dir, flag)
    return {
      ...scenario,
      command: named,
      ...(workspace !== undefined && { workspace }),
      ...(pin && !scenario.pin && { pin }),
    }
  }

  /** Makes it the fixture: all files that change, together, and no other. */
  commit(): void {
    const { dir } = this.#recorded
    const before = readFiles(dir)
    const changed = changesOf(before, this.#changes)
    if (changed.size > 0) putChanges(dir, before, changed)
  }

  remove(): void {
    this.#workplace.remove()
  }
}
