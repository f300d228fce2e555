import type { LogSet, Transcript } from 'jest-serializer-acp'
import { childEnv, createWorkplace, type Workplace, withDeadline } from '../child/index.ts'
import { type AcpOptions, launchOf } from '../options.ts'
import type { Scenario } from '../scenario/read.ts'
import { clientMethods } from './client-methods.ts'
import { Connection } from './connection.ts'
import { inspect, ScenarioError, type StepError } from './error.ts'
import { describeFailure, type RunFrame } from './failure.ts'
import { type LivePin, livePins } from './live-pins.ts'
import { harvestLogs } from './logs.ts'
import type { Answer } from './peer.ts'
import { replayFailures, replayProblems } from './replay-report.ts'
import { RunSessions } from './sessions.ts'
import { runStep } from './steps.ts'
import { requireNoStrays } from './strays.ts'

/** What a scenario's run left behind, for the matchers. */
export interface ScenarioRun {
  scenario: Scenario
  transcript: Transcript
  /** The step during which each frame came, from 1. */
  frameSteps: number[]
  logs: LogSet
  /** What the model was told, request header by request header. */
  pins: LivePin[]
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
  /** Aborted at the run's end: nobody listens for a stop any more. */
  readonly #over = new AbortController()
  readonly #sessions = new RunSessions()
  readonly #frames: RunFrame[] = []
  readonly #requestIds: number[] = []
  readonly #stderr: string[] = []
  /** One for the whole run: the answers to permission requests go on over a restart. */
  readonly #answer: Answer
  /** What went wrong in a question that the agent asked: the step that is under way fails with it. */
  #question: StepError | undefined
  #connection: Connection | undefined
  /** A process that is being started. Never rejects. */
  #opening: Promise<unknown> | undefined
  #ended = false
  #step = 0
  /** Where the run stands, for its failure. */
  #place = 'the start of the agent'

  constructor(scenario: Scenario, options: AcpOptions, workplace: Workplace, { live, signal }: RunOptions) {
    this.#live = live
    this.#scenario = scenario
    this.#options = options
    this.#workplace = workplace
    this.#aborted = new Promise((_, reject) => {
      const stop = () => reject(new ScenarioError('the run was stopped'))
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true, signal: this.#over.signal })
    })
    this.#aborted.catch(() => undefined)
    this.#answer = clientMethods(workplace.cwd, scenario.input.permissions, (error) => {
      this.#question ??= error
    })
  }

  async go(): Promise<ScenarioRun> {
    try {
      await this.#open()
      for (const step of this.#scenario.input.steps) {
        this.#place = `step ${++this.#step} (${step.op})`
        await this.#within(runStep(step, this.#context()), `the end of ${inspect(step)}`)
      }
      this.#place = 'the end of the agent'
      await this.#close()
      if (this.#question) throw this.#question
      this.#place = 'the replay'
      const problems = this.#live ? [] : replayProblems(this.#workplace.report, this.#scenario.scripts)
      if (problems.length > 0) throw new Error(problems.join('\n'))
      this.#place = 'the session logs'
      return this.#result()
    } catch (error) {
      throw this.#failure(error)
    }
  }

  /** Leaves no process: a restart that is under way may be about to start one. */
  async end(): Promise<void> {
    this.#ended = true
    this.#over.abort()
    await this.#opening
    await this.#connection?.kill()
  }

  async #open(): Promise<void> {
    if (this.#ended) throw new Error('the run has ended')
    const opening = this.#connect()
    this.#opening = opening.catch(() => undefined)
    this.#connection = await opening
    this.#connection.peer.onUpdate((update) => this.#sessions.receive(update))
  }

  #connect(): Promise<Connection> {
    const { cwd, home, sessions, tmp, report } = this.#workplace
    const places = { cwd, home, sessions, tmp, report, fixture: this.#scenario.dir }
    const { config } = this.#scenario.input
    const launch = launchOf(this.#options, { config, live: this.#live !== undefined, places })
    return Connection.open({
      launch: { ...launch, env: childEnv({ ...launch.env, ...this.#live?.env }, this.#workplace) },
      cwd,
      answer: this.#answer,
      nextId: () => this.#requestIds.push(this.#requestIds.length + 1),
      onFrame: ({ text }) => void this.#frames.push({ text, step: this.#step }),
    })
  }

  async #close(): Promise<void> {
    const connection = this.#connection
    if (!connection) return
    try {
      await connection.close(this.#options.deadlines.exitMs)
      await requireNoStrays(this.#workplace)
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

  #failure(error: unknown): ScenarioError {
    const stderr = [...this.#stderr, this.#connection?.stderr ?? ''].join('')
    const told = this.#place === 'the replay' ? [] : replayFailures(this.#workplace.report)
    const message = describeFailure({
      scenario: this.#scenario.name,
      place: this.#place,
      error: this.#question ?? error,
      replay: told,
      frames: this.#frames,
      stderr,
    })
    // One that is not of a run: a fault of ours, of which the stack is wanted.
    const options = error instanceof TypeError ? { cause: error } : {}
    return new ScenarioError(this.#withoutSecrets(message), options)
  }

  /** A live agent may say its key, in an error or on stderr; nobody else does. */
  #withoutSecrets(message: string): string {
    const { requires } = this.#options.record
    const secrets = requires.map((name) => this.#live?.env[name]).filter((value) => value !== undefined)
    return secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), message)
  }

  #result(): ScenarioRun {
    const volatile = { paths: this.#workplace.paths(), requestIds: this.#requestIds }
    const harvested = this.#options.sessionLogs ? harvestLogs(this.#workplace.sessions, this.#sessions.ids) : []
    return {
      scenario: this.#scenario,
      transcript: { kind: 'acp-transcript', frames: this.#frames.map(({ text }) => text), volatile },
      frameSteps: this.#frames.map(({ step }) => step),
      logs: { kind: 'acp-session-logs', logs: harvested.map(({ text }) => text), volatile },
      pins: livePins(
        harvested.map(({ parsed }) => parsed),
        volatile,
      ),
      stderr: this.#stderr.join(''),
    }
  }
}
