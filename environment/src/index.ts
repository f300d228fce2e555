import { basename, dirname, relative } from 'node:path'
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment'
import type { Circus } from '@jest/types'
import { TestEnvironment } from 'jest-environment-node'
import * as z from 'zod'
import { configOf, type JestCommand, jestCommand } from './command/hint.ts'
import { requireKnownProjects } from './command/selection.cjs'
import type { UpdateMode } from './compare/golden.ts'
import { type AcpOptions, parseOptions } from './options.ts'
import { whyAuthored } from './record/authored.cjs'
import { Draft } from './record/draft.ts'
import { fileEnv, type Mode, readMode, recordEnv } from './record/mode.ts'
import { recoverFixture } from './record/recover.ts'
import { checkedFixture, refuseModelCalls, type WriteOptions, writeReplayed } from './record/write.ts'
import { ScenarioError } from './run/error.ts'
import { runScenario, type ScenarioRun } from './run/run-scenario.ts'
import { FixtureError } from './scenario/fault.ts'
import { canBeParsed, readScenario, type Scenario } from './scenario/read.ts'
import { UsageError, withoutStack } from './usage-error.ts'
import { exitPromptly } from './worker-exit.ts'

/** The `acp` global. Each run cleans up before its promise settles. */
export interface AcpGlobal {
  /** The name of the scenario: that of its directory. */
  readonly scenario: string
  /** What the run does to the fixture. `replay` for a scenario that a recording leaves alone. */
  readonly mode: Mode
  /** What may be written to goldens: nothing while a draft is replayed. */
  readonly update: UpdateMode
  /** Runs the scenario in its mode: a recording runs it against the real model. */
  run(): Promise<ScenarioRun>
  /** Runs the scenario against its recording, or against the draft where there is one. */
  replay(): Promise<ScenarioRun>
  /** Writes the golden of a replay, and the log of a scenario that has none. @param golden the text of its transcript */
  writeReplayed(run: ScenarioRun, golden: string): void
  /** Makes a run the draft of the scenario's fixture. @param golden the text of its transcript */
  draft(run: ScenarioRun, golden: string): void
  /** Makes the draft the scenario's fixture. */
  keep(): void
}

const NO_TEST =
  "no test was registered: add setupFilesAfterEnv: ['jest-environment-acp/setup'] to the Jest config, beside testEnvironment"

/** The Jest environment in which an `input.json` is a test file: it runs the scenario against the agent. */
export default class AcpEnvironment extends TestEnvironment {
  readonly #dir: string
  readonly #options: AcpOptions
  readonly #update: UpdateMode
  readonly #command: JestCommand
  readonly #globalConfig: JestEnvironmentConfig['globalConfig']
  /** Why a recording, which was asked for, leaves this scenario alone. */
  readonly #spared: string | undefined
  /** The variables of the recording: the key may stand in `.env` alone. */
  #liveEnv: Record<string, string> = {}
  #draft: Draft | undefined
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
    this.#globalConfig = globalConfig
    this.#spared = asked === 'record' ? whyAuthored(this.#dir, this.#options.sessionLogs) : undefined
    const mode = this.#spared ? 'replay' : asked
    const update = () => (this.#draft ? 'none' : this.#update)
    this.global.acp = {
      scenario: basename(this.#dir),
      mode,
      get update() {
        return update()
      },
      run: () => this.#start(mode),
      replay: () => this.#start('replay'),
      writeReplayed: (run, golden) => forReaders(() => writeReplayed(run, golden, this.#writing())),
      draft: (run, golden) => forReaders(() => this.#makeDraft(run, golden, mode)),
      keep: () => this.#draft?.commit(),
    } satisfies AcpGlobal
  }

  override async setup(): Promise<void> {
    await super.setup()
    exitPromptly()
    // The reporter has looked at the command, where it is configured.
    await requireKnownProjects(this.#globalConfig)
  }

  async handleTestEvent(event: Circus.Event, state: Circus.State): Promise<void> {
    if (event.name === 'run_start' && state.rootDescribeBlock.children.length === 0) throw new UsageError(NO_TEST)
    if (event.name === 'test_fn_start' && this.#spared !== undefined) {
      process.stderr.write(`${basename(this.#dir)}: ${this.#spared}\n`)
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
    const scenario = this.#draft?.scenario(this.#options.sessionLogs) ?? this.#read(mode)
    return runScenario(scenario, this.#options, { live, signal: this.#abort.signal })
  }

  #read(mode: Mode): Scenario {
    recoverFixture(this.#dir)
    const run = mode === 'replay' && this.#update === 'all' ? 'update' : mode
    const { sessionLogs } = this.#options
    const createsLog = this.#update !== 'none'
    return readScenario(this.#dir, { run, command: this.#command, sessionLogs, createsLog })
  }

  #makeDraft(run: ScenarioRun, golden: string, mode: Mode): void {
    if (mode === 'refresh' && run.scenario.logs.length === 0) refuseModelCalls(run)
    this.#draft = new Draft(run, checkedFixture(run, golden, this.#writing()))
  }

  #writing(): WriteOptions {
    const env = { ...fileEnv(this.#options.record.envFile), ...process.env, ...this.#liveEnv }
    return { env, sessionLogs: this.#options.sessionLogs }
  }

  async #stop(): Promise<void> {
    this.#abort.abort()
    await this.#running
    this.#draft?.remove()
    this.#draft = undefined
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
