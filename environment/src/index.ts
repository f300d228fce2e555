import { basename, dirname, relative } from 'node:path'
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment'
import type { Circus } from '@jest/types'
import { TestEnvironment } from 'jest-environment-node'
import * as z from 'zod'
import type { AcpGlobal } from './acp-global.ts'
import { type Action, actionFor, askedAction } from './action.cjs'
import { configOf, type JestCommand, jestCommand } from './command/hint.ts'
import { requireKnownProjects } from './command/selection.cjs'
import { isForReaders } from './for-readers.ts'
import { canBeParsed, readScenario } from './guard/read-scenario.ts'
import type { LogFormat } from './logs/log-format.ts'
import { loadLogFormat } from './logs/log-formats.ts'
import { type AcpOptions, parseOptions } from './options.ts'
import { Draft } from './record/draft.ts'
import { type JudgeTools, judgeRun, type Outcome } from './record/judge-run.ts'
import type { SurfaceRun } from './record/printed-run.ts'
import { recoverFixture } from './record/recover.ts'
import { fileEnv, recordEnv } from './record/variables.ts'
import type { WriteOptions } from './record/write.ts'
import { describeRefused } from './run/failure.ts'
import { runScenario } from './run/run-scenario.ts'
import type { Scenario } from './scenario/scenario.ts'
import type { PrintTools } from './surfaces/surface.ts'
import { surfaces } from './surfaces/surfaces.ts'
import { UsageError, withoutStack } from './usage-error.ts'
import { exitPromptly } from './worker-exit.ts'

export type { LogModule, LogRecords } from './logs/log-module.ts'
export type { AcpEnvironmentOptions } from './options.ts'

const NO_TEST =
  "no test was registered: add setupFilesAfterEnv: ['jest-environment-acp/setup'] to the Jest config, beside testEnvironment"

/** The Jest environment in which an `input.json` is a test file: it runs the scenario against the agent. */
export default class AcpEnvironment extends TestEnvironment {
  readonly #dir: string
  readonly #options: AcpOptions
  readonly #asked: Action
  readonly #action: Action
  /** Whether a comparing run creates missing files: not under `--ci`. */
  readonly #createsMissing: boolean
  readonly #command: JestCommand
  readonly #globalConfig: JestEnvironmentConfig['globalConfig']
  #logFormat: LogFormat | undefined
  /** The variables of the recording: the key may be only in `.env`. */
  #liveEnv: Record<string, string> = {}
  #draft: Draft | undefined
  readonly #outcomes = new WeakMap<SurfaceRun, readonly Outcome[]>()
  #abort = new AbortController()
  /** The current run, if there is one. */
  #running: Promise<unknown> | undefined

  constructor({ globalConfig, projectConfig }: JestEnvironmentConfig, context: EnvironmentContext) {
    super({ globalConfig, projectConfig }, context)
    this.#globalConfig = globalConfig
    this.#dir = dirname(context.testPath)
    const { testEnvironmentOptions, rootDir } = projectConfig
    this.#options = forReaders(() => parseOptions(testEnvironmentOptions.acp, rootDir))
    const command = jestCommand({
      config: configOf(jestArguments(process.env.ACP_JEST_ARGS)),
      project: globalConfig.projects.length > 1 ? projectConfig.displayName?.name : undefined,
    })
    this.#command = (dir, flag) => command(relative(globalConfig.rootDir, dir), flag)
    const asked = askedAction(process.env, globalConfig)
    if ('problem' in asked) throw withoutStack(new UsageError(asked.problem))
    this.#asked = asked.action
    this.#action = actionFor(asked.action, this.#dir)
    this.#createsMissing = globalConfig.updateSnapshot !== 'none'
    // Jest's own message would be shorter, and would omit the other faults.
    if (!canBeParsed(this.#dir)) forReaders(() => this.#read())
    this.global.acp = {
      scenario: basename(this.#dir),
      action: this.#action,
      surfaces: surfaces.map(({ title }) => title),
      run: () => this.#start(this.#action),
      replay: () => this.#start('verify'),
      judge: (run, tools) => forReaders(() => this.#judge(run, tools)),
      draft: (run, tools) => forReaders(() => this.#makeDraft(run, tools)),
      keep: () => this.#draft?.commit() ?? [],
    } satisfies AcpGlobal
  }

  override async setup(): Promise<void> {
    await super.setup()
    exitPromptly()
    // The reporter does this too, but it may not be configured.
    await requireKnownProjects(this.#globalConfig)
    this.#logFormat = await loadLogFormat(this.#options.sessionLogs).catch(forReader)
  }

  async handleTestEvent(event: Circus.Event, state: Circus.State): Promise<void> {
    if (event.name === 'run_start' && state.rootDescribeBlock.children.length === 0) throw new UsageError(NO_TEST)
    if (event.name === 'test_fn_start' && this.#action !== this.#asked) {
      process.stderr.write(`${basename(this.#dir)}: "overridden": true, so it is compared and not recorded\n`)
    }
    // If the test timed out or failed otherwise, its run may still be active.
    if (event.name === 'test_done') await this.#stop()
  }

  override async teardown(): Promise<void> {
    await this.#stop()
    await super.teardown()
  }

  /** @param action what the run is for: `record` starts the live agent */
  async #start(action: Action): Promise<SurfaceRun> {
    if (this.#running)
      throw new UsageError('a scenario is running already: it cannot run twice at once (test.concurrent?)')
    this.#abort = new AbortController()
    const running = this.#run(action)
    this.#running = running.catch(() => undefined)
    try {
      return await running
    } catch (error) {
      return forReader(error)
    } finally {
      this.#running = undefined
    }
  }

  async #run(action: Action): Promise<SurfaceRun> {
    if (action === 'record') this.#liveEnv = recordEnv(this.#options.record, process.env)
    const live = action === 'record' ? { env: this.#liveEnv } : undefined
    const scenario = this.#draft?.scenario(this.#format) ?? this.#read()
    const { signal } = this.#abort
    return runScenario(scenario, this.#options, { live, signal, logFormat: this.#format, collectors: surfaces })
  }

  #read(): Scenario {
    recoverFixture(this.#dir)
    return readScenario(this.#dir, {
      action: this.#action,
      createsMissing: this.#createsMissing,
      command: this.#command,
      logFormat: this.#logFormat,
    })
  }

  /** Nothing is written while a draft is replayed. */
  #judge(run: SurfaceRun, tools: JudgeTools): readonly Outcome[] {
    const action = this.#draft ? 'verify' : this.#action
    const createsMissing = this.#createsMissing && !this.#draft
    const known = this.#outcomes.get(run)
    const outcomes = known ?? judgeRun(run, { action, createsMissing, writing: this.#writing() }, tools)
    if (!known && outcomes.some(({ verdict }) => verdict === 'added' || verdict === 'updated')) tellRefused(run)
    this.#outcomes.set(run, outcomes)
    return outcomes
  }

  #makeDraft(run: SurfaceRun, tools: PrintTools): void {
    this.#draft = new Draft(run, this.#action, tools, this.#writing())
  }

  #writing(): WriteOptions {
    const env = { ...fileEnv(this.#options.record.envFile), ...process.env, ...this.#liveEnv }
    return { env, logFormat: this.#format }
  }

  get #format(): LogFormat {
    if (!this.#logFormat) throw new Error('the environment was not set up')
    return this.#logFormat
  }

  async #stop(): Promise<void> {
    this.#abort.abort()
    await this.#running
    this.#draft?.remove()
    this.#draft = undefined
  }
}

/** What was written shows an agent without these answers. A comparison that fails tells it in its message. */
function tellRefused({ scenario, refused }: SurfaceRun): void {
  for (const text of describeRefused(refused)) process.stderr.write(`${scenario.name}: ${text}\n`)
}

function forReaders<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    return forReader(error)
  }
}

/** Rethrows an error. An error for readers loses its stack, which would only hide the message. */
function forReader(error: unknown): never {
  throw isForReaders(error) ? withoutStack(error) : error
}

/** Jest's command line, which the reporter keeps for workers. Without the reporter, it is known only in band. */
function jestArguments(kept: string | undefined): string[] {
  return kept === undefined ? process.argv.slice(2) : z.array(z.string()).parse(JSON.parse(kept))
}
