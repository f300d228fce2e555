import { basename, dirname, relative } from 'node:path'
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment'
import type { Circus } from '@jest/types'
import { TestEnvironment } from 'jest-environment-node'
import * as z from 'zod'
import { configOf, type JestCommand, jestCommand } from './command.ts'
import type { UpdateMode } from './compare/golden.ts'
import { type AcpOptions, parseOptions } from './options.ts'
import { isAuthored } from './record/authored.ts'
import { type Mode, readMode, recordEnv } from './record/mode.ts'
import { writeFixture } from './record/write-fixture.ts'
import { ScenarioError } from './run/error.ts'
import { runScenario, type ScenarioRun } from './run/run-scenario.ts'
import { FixtureError } from './scenario/fault.ts'
import { canBeParsed, readScenario, type Scenario } from './scenario/read.ts'
import { UsageError, withoutStack } from './usage-error.ts'

/** The `acp` global. Each run cleans up before its promise settles. */
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
  /** Makes a run the scenario's fixture. @param golden the text of its transcript */
  write(run: ScenarioRun, golden: string): void
}

const NO_TEST =
  "no test was registered: add setupFilesAfterEnv: ['jest-environment-acp/setup'] to the Jest config, beside testEnvironment"

/** The Jest environment in which an `input.json` is a test file: it runs the scenario against the agent. */
export default class AcpEnvironment extends TestEnvironment {
  readonly #dir: string
  readonly #options: AcpOptions
  readonly #update: UpdateMode
  readonly #command: JestCommand
  /** Whether a recording was asked for, and leaves this scenario alone. */
  readonly #spared: boolean
  /** The variables of the recording: the key may stand in `.env` alone. */
  #liveEnv: Record<string, string> = {}
  #abort = new AbortController()
  /** The run that is under way, if one is. */
  #running: Promise<unknown> | undefined

  constructor({ globalConfig, projectConfig }: JestEnvironmentConfig, context: EnvironmentContext) {
    super({ globalConfig, projectConfig }, context)
    this.#dir = dirname(context.testPath)
    const { testEnvironmentOptions, rootDir } = projectConfig
    this.#options = forReaders(() => parseOptions(testEnvironmentOptions.acp, rootDir))
    this.#update = globalConfig.updateSnapshot
    const command = jestCommand({
      config: configOf(jestArguments(process.env.ACP_JEST_ARGS)),
      project: globalConfig.projects.length > 1 ? projectConfig.displayName?.name : undefined,
    })
    this.#command = (dir, flag) => command(relative(globalConfig.rootDir, dir), flag)
    const asked = forReaders(() => readMode(process.env, globalConfig))
    // Jest would say less of it, and nothing of the other faults.
    if (!canBeParsed(this.#dir)) forReaders(() => this.#read(asked))
    this.#spared = asked === 'record' && isAuthored(this.#dir)
    const mode = this.#spared ? 'replay' : asked
    this.global.acp = {
      scenario: basename(this.#dir),
      mode,
      update: this.#update,
      run: () => this.#start(mode),
      replay: () => this.#start('replay'),
      write: (run, golden) => this.#write(run, golden),
    } satisfies AcpGlobal
  }

  async handleTestEvent(event: Circus.Event, state: Circus.State): Promise<void> {
    if (event.name === 'run_start' && state.rootDescribeBlock.children.length === 0) throw new UsageError(NO_TEST)
    if (event.name === 'test_fn_start' && this.#spared) {
      process.stderr.write(`${basename(this.#dir)}: authored, so it is replayed and not recorded\n`)
    }
    // After a test timed out, or failed beside its run, the run would go on.
    if (event.name === 'test_done') await this.#stop()
  }

  override async teardown(): Promise<void> {
    await this.#stop()
    await super.teardown()
  }

  async #start(mode: Mode): Promise<ScenarioRun> {
    if (this.#running)
      throw new UsageError('a scenario is running already: it cannot run twice at once (test.concurrent?)')
    this.#abort = new AbortController()
    const running = this.#run(mode)
    this.#running = running.catch(() => undefined)
    try {
      return await running
    } catch (error) {
      throw isForReaders(error) ? withoutStack(error) : error
    } finally {
      this.#running = undefined
    }
  }

  async #run(mode: Mode): Promise<ScenarioRun> {
    if (mode === 'record') this.#liveEnv = recordEnv(this.#options.record, process.env)
    const live = mode === 'record' ? { env: this.#liveEnv } : undefined
    return runScenario(this.#read(mode), this.#options, { live, signal: this.#abort.signal })
  }

  #read(mode: Mode): Scenario {
    const run = mode === 'replay' && this.#update === 'all' ? 'update' : mode
    return readScenario(this.#dir, { run, command: this.#command })
  }

  #write(run: ScenarioRun, golden: string): void {
    forReaders(() => writeFixture(run, golden, { ...process.env, ...this.#liveEnv }))
  }

  async #stop(): Promise<void> {
    this.#abort.abort()
    await this.#running
  }
}

function forReaders<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw isForReaders(error) ? withoutStack(error) : error
  }
}

function isForReaders(error: unknown): error is Error {
  return [ScenarioError, FixtureError, UsageError].some((kind) => error instanceof kind)
}

/** Jest's command line, which the reporter keeps for workers. Without the reporter it is known in band alone. */
function jestArguments(kept: string | undefined): string[] {
  return kept === undefined ? process.argv.slice(2) : z.array(z.string()).parse(JSON.parse(kept))
}
