import { basename, dirname } from 'node:path'
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment'
import type { Circus } from '@jest/types'
import { TestEnvironment } from 'jest-environment-node'
import type { UpdateMode } from './compare/golden.ts'
import { type AcpOptions, parseOptions } from './options.ts'
import { isAuthored } from './record/authored.ts'
import { type Mode, readMode, recordEnv } from './record/mode.ts'
import { runScenario, type ScenarioRun } from './run/run-scenario.ts'
import { readScenario, type Scenario } from './scenario/read.ts'

/** What a test finds as the global `acp`. Nothing of a run is left once it has settled. */
export interface AcpGlobal {
  /** The name of the scenario: that of its directory. */
  readonly scenario: string
  /** What the run does to the fixture. `replay` for a scenario that a recording leaves alone. */
  readonly mode: Mode
  /** What may be written to goldens. */
  readonly update: UpdateMode
  /** Runs the scenario in its mode: a recording runs it against the real model. */
  run(): Promise<ScenarioRun>
  /** Runs the scenario against its recording. */
  replay(): Promise<ScenarioRun>
}

/** The Jest environment in which an `input.json` is a test file: it runs the scenario against the agent. */
export default class AcpEnvironment extends TestEnvironment {
  readonly #dir: string
  readonly #options: AcpOptions
  readonly #update: UpdateMode
  #abort = new AbortController()
  /** The run that is under way, if one is. */
  #running: Promise<unknown> | undefined

  constructor({ globalConfig, projectConfig }: JestEnvironmentConfig, context: EnvironmentContext) {
    super({ globalConfig, projectConfig }, context)
    this.#dir = dirname(context.testPath)
    this.#options = parseOptions(projectConfig.testEnvironmentOptions.acp, projectConfig.rootDir)
    this.#update = globalConfig.updateSnapshot
    const asked = readMode(process.env, globalConfig)
    const mode = asked === 'record' && isAuthored(this.#dir) ? 'replay' : asked
    this.global.acp = {
      scenario: basename(this.#dir),
      mode,
      update: this.#update,
      run: () => this.#start(mode),
      replay: () => this.#start('replay'),
    } satisfies AcpGlobal
  }

  async handleTestEvent(event: Circus.Event): Promise<void> {
    // After a test timed out, or failed beside its run, the run would go on.
    if (event.name === 'test_done') await this.#stop()
  }

  override async teardown(): Promise<void> {
    await this.#stop()
    await super.teardown()
  }

  async #start(mode: Mode): Promise<ScenarioRun> {
    if (this.#running) throw new Error('a scenario is running already: it cannot run twice at once (test.concurrent?)')
    this.#abort = new AbortController()
    const running = this.#run(mode)
    this.#running = running.catch(() => undefined)
    try {
      return await running
    } finally {
      this.#running = undefined
    }
  }

  #run(mode: Mode): Promise<ScenarioRun> {
    const live = mode === 'record' ? { env: recordEnv(this.#options.record, process.env) } : undefined
    return runScenario(this.#read(mode), this.#options, { live, signal: this.#abort.signal })
  }

  #read(mode: Mode): Scenario {
    const run = mode === 'replay' && this.#update === 'all' ? 'update' : mode
    return readScenario(this.#dir, { run })
  }

  async #stop(): Promise<void> {
    this.#abort.abort()
    await this.#running
  }
}
