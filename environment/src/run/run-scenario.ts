import type { LogSet, Transcript } from 'jest-serializer-acp'
import { childEnv, createWorkplace, type Workplace, withDeadline } from '../child/index.ts'
import { type AcpOptions, launchOf } from '../options.ts'
import type { Scenario } from '../scenario/read.ts'
import { clientMethods } from './client-methods.ts'
import { Connection } from './connection.ts'
import { ScenarioError, type StepError } from './error.ts'
import { describeFailure, type RunFrame } from './failure.ts'
import { harvestLogs } from './logs.ts'
import { replayProblems } from './replay-report.ts'
import { RunSessions } from './sessions.ts'
import { runStep } from './steps.ts'

/** What a scenario's run left behind, for the matchers. */
export interface ScenarioRun {
  scenario: Scenario
  transcript: Transcript
  /** The step during which each frame came, from 1. */
  frameSteps: number[]
  logs: LogSet
  stderr: string
}

export interface RunOptions {
  /** Runs against the real model, with these variables besides: the key. */
  live?: { env: Record<string, string> } | undefined
  /** Stops a run that is under way. */
  signal: AbortSignal
}

/**
 * Runs a scenario's script against the agent: a fresh process in fresh directories, driven over stdio, closed at the end.
 * Nothing of it is left when this settles.
 *
 * @throws ScenarioError when a step meets what it does not expect, when the agent breaks the protocol, dies or hangs,
 * and when the replay is not served as the script says
 */
export async function runScenario(
  scenario: Scenario,
  options: AcpOptions,
  runOptions: RunOptions,
): Promise<ScenarioRun> {
  const workplace = createWorkplace({ seed: scenario.workspace })
  const run = new Run(scenario, options, workplace, runOptions)
  try {
    return await run.go()
  } finally {
    await run.end()
    workplace.remove()
  }
}

class Run {
  readonly #scenario: Scenario
  readonly #options: AcpOptions
  readonly #workplace: Workplace
  readonly #live: RunOptions['live']
  readonly #aborted: Promise<never>
  readonly #sessions = new RunSessions()
  readonly #frames: RunFrame[] = []
  readonly #requestIds: number[] = []
  readonly #stderr: string[] = []
  /** What went wrong in a question that the agent asked: the step that is under way fails with it. */
  #question: StepError | undefined
  #connection: Connection | undefined
  #step = 0

  constructor(scenario: Scenario, options: AcpOptions, workplace: Workplace, { live, signal }: RunOptions) {
    this.#live = live
    this.#scenario = scenario
    this.#options = options
    this.#workplace = workplace
    this.#aborted = new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new ScenarioError('the run was stopped')), { once: true })
    })
    this.#aborted.catch(() => undefined)
  }

  async go(): Promise<ScenarioRun> {
    const { steps } = this.#scenario.input
    try {
      await this.#open()
      for (const step of steps) {
        this.#step++
        await this.#within(runStep(step, this.#context()), `step ${this.#step} (${step.op})`)
      }
      await this.#close()
    } catch (error) {
      throw this.#failure(error)
    }
    const problems = this.#live ? [] : replayProblems(this.#workplace.report, this.#scenario.scripts)
    if (problems.length > 0) throw this.#failure(new Error(problems.join('\n')), 'the replay')
    return this.#result()
  }

  async end(): Promise<void> {
    await this.#connection?.kill()
  }

  async #open(): Promise<void> {
    const { cwd, home, sessions, tmp, report } = this.#workplace
    const places = { cwd, home, sessions, tmp, report, fixture: this.#scenario.dir }
    const { config, permissions } = this.#scenario.input
    const launch = launchOf(this.#options, { config, live: this.#live !== undefined, places })
    const answer = clientMethods(cwd, permissions, (error) => {
      this.#question ??= error
    })
    this.#connection = await Connection.open({
      launch: { ...launch, env: childEnv({ ...launch.env, ...this.#live?.env }, this.#workplace) },
      cwd,
      answer,
      nextId: () => this.#requestIds.push(this.#requestIds.length + 1),
      onFrame: ({ text }) => void this.#frames.push({ text, step: this.#step }),
    })
    this.#connection.peer.onUpdate((update) => this.#sessions.receive(update))
  }

  async #close(): Promise<void> {
    const connection = this.#connection
    if (!connection) return
    try {
      await connection.close(this.#options.deadlines.exitMs)
    } finally {
      this.#stderr.push(connection.stderr)
      this.#connection = undefined
    }
  }

  #context() {
    if (!this.#connection) throw new Error('no connection')
    return {
      peer: this.#connection.peer,
      sessions: this.#sessions,
      cwd: this.#workplace.cwd,
      restart: async () => {
        await this.#close()
        await this.#open()
      },
    }
  }

  /** A step's own end, or whatever stops it: its deadline, the agent's fault, the end of the test. */
  async #within(step: Promise<void>, what: string): Promise<void> {
    const broken = this.#connection?.broken ?? this.#aborted
    const { stepMs, recordStepMs } = this.#options.deadlines
    const ms = this.#live ? recordStepMs : stepMs
    await withDeadline(Promise.race([step, broken, this.#aborted]), ms, what)
    if (this.#question) throw this.#question
  }

  #failure(error: unknown, where?: string): ScenarioError {
    const step = this.#scenario.input.steps[this.#step - 1]
    const stderr = [...this.#stderr, this.#connection?.stderr ?? ''].join('')
    const place = where ?? (step ? `step ${this.#step} (${step.op})` : 'the start of the agent')
    return new ScenarioError(
      describeFailure({
        scenario: this.#scenario.name,
        place,
        error: this.#question ?? error,
        frames: this.#frames,
        stderr,
      }),
      { cause: error },
    )
  }

  #result(): ScenarioRun {
    const volatile = { paths: this.#workplace.paths(), requestIds: this.#requestIds }
    const harvested = this.#options.sessionLogs ? harvestLogs(this.#workplace.sessions, this.#sessions.ids) : []
    return {
      scenario: this.#scenario,
      transcript: { kind: 'acp-transcript', frames: this.#frames.map(({ text }) => text), volatile },
      frameSteps: this.#frames.map(({ step }) => step),
      logs: { kind: 'acp-session-logs', logs: harvested.map(({ text }) => text), volatile },
      stderr: this.#stderr.join(''),
    }
  }
}
