import { createWorkplace, type Workplace } from '../child/index.ts'
import { harvestLogs } from '../logs/harvest-logs.ts'
import type { LogFormat } from '../logs/log-format.ts'
import { builtInFormat } from '../logs/log-formats.ts'
import { replayFailures, replayProblems } from '../logs/replay-report.ts'
import type { AcpOptions } from '../options.ts'
import { fillPlaces } from '../places.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { ScenarioError, type StepError } from '../scenario-error.ts'
import { ClientSide } from './client-side.ts'
import { describeFailure } from './failure.ts'
import type { Collector, FinishedRun, RunOptions, ScenarioRun } from './finished-run.ts'
import { RunMessages } from './messages.ts'
import { RunningAgent } from './running-agent.ts'
import { RunSessions } from './sessions.ts'
import { AgentStart } from './start.ts'
import { runStep } from './steps.ts'
import { volatileOf } from './volatile.ts'
import { Waits } from './waits.ts'

/**
 * Runs a scenario's script against a new agent process over stdio, in new directories, and closes the agent.
 * Processes and directories are gone before the promise settles.
 *
 * @throws ScenarioError when a step gets an unexpected answer, when the agent breaks the protocol, exits early or hangs,
 * and when the replay does not match the script
 */
export async function runScenario<C extends Collector>(
  scenario: Scenario,
  options: AcpOptions,
  runOptions: RunOptions<C>,
): Promise<ScenarioRun<C>> {
  const workplace = createWorkplace({ seed: scenario.workspace })
  const run = new Run(scenario, options, workplace, runOptions)
  try {
    return await run.go()
  } finally {
    await run.end()
    workplace.remove()
  }
}

class Run<C extends Collector> {
  readonly #scenario: Scenario
  readonly #options: AcpOptions
  readonly #workplace: Workplace
  readonly #live: RunOptions['live']
  readonly #logFormat: LogFormat
  readonly #collectors: readonly C[]
  /** Aborted at the end of the run, to remove the listener on the caller's signal. */
  readonly #over = new AbortController()
  readonly #sessions = new RunSessions()
  readonly #messages = new RunMessages()
  readonly #start: AgentStart
  readonly #client: ClientSide
  readonly #agent: RunningAgent
  readonly #waits: Waits
  #step = 0
  /** The current position, for failure messages. */
  #place = 'the start of the agent'

  constructor(scenario: Scenario, options: AcpOptions, workplace: Workplace, runOptions: RunOptions<C>) {
    const { live, signal, logFormat, collectors = [] } = runOptions
    this.#live = live
    this.#logFormat = logFormat ?? builtInFormat(options.sessionLogs)
    this.#collectors = collectors
    this.#scenario = scenario
    this.#options = options
    this.#workplace = workplace
    const aborted = new Promise<never>((_, reject) => {
      const stop = () => reject(new ScenarioError('the run was stopped'))
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true, signal: this.#over.signal })
    })
    aborted.catch(() => undefined)
    const step = () => this.#step
    this.#start = new AgentStart(scenario, options, workplace, live)
    this.#client = new ClientSide({
      input: scenario.input,
      workplace,
      sessions: this.#sessions,
      places: () => this.#start.places,
      terminalEnv: () => this.#start.terminalEnv,
      step,
    })
    this.#agent = new RunningAgent({
      start: this.#start,
      client: this.#client,
      messages: this.#messages,
      workplace,
      options,
      onUpdate: (update) => this.#sessions.receive(update),
      step,
    })
    this.#waits = new Waits({
      options,
      isLive: live !== undefined,
      agent: this.#agent,
      client: this.#client,
      sessions: this.#sessions,
      aborted,
    })
  }

  async go(): Promise<ScenarioRun<C>> {
    try {
      await this.#agent.open()
      for (const step of this.#scenario.input.steps) {
        this.#place = `step ${++this.#step} (${step.op})`
        await this.#waits.step(step, runStep(fillPlaces(step, this.#start.places), this.#context()))
      }
      this.#place = 'after the last step'
      await this.#waits.lastWords()
      this.#place = 'the end of the agent'
      await this.#agent.close()
      this.#throwIf(this.#client.question)
      this.#place = 'the permissions'
      this.#throwIf(this.#client.permissions.unusedProblem())
      this.#place = 'the answers'
      this.#throwIf(this.#client.answers.unusedProblem())
      this.#place = 'the replay'
      const problems = this.#live ? [] : replayProblems(this.#workplace.report, this.#scenario)
      if (problems.length > 0) throw new Error(problems.join('\n'))
      this.#place = 'the session logs'
      const finished = this.#finish()
      const captures = this.#collectors.map((surface) => {
        this.#place = `the ${surface.title}`
        return { surface, value: surface.collect(finished) }
      })
      return { ...finished, captures }
    } catch (error) {
      throw await this.#failure(error)
    }
  }

  #throwIf(problem: StepError | undefined): void {
    if (problem) throw problem
  }

  /** Kills the agent, including one that a restart is just starting. */
  async end(): Promise<void> {
    this.#over.abort()
    await this.#agent.end()
  }

  #context() {
    return {
      peer: this.#agent.peer,
      sessions: this.#sessions,
      permissions: this.#client.permissions,
      cwd: this.#workplace.cwd,
      restart: async () => {
        await this.#waits.lastWords()
        await this.#agent.close()
        await this.#agent.open()
      },
      settle: (ms: number | undefined) => this.#waits.settle(ms),
      turnEnded: () => this.#waits.turnEnded(),
    }
  }

  async #failure(error: unknown): Promise<ScenarioError> {
    const { question = error, refused } = this.#client
    const frames = [...this.#messages.frames]
    // What the agent has written to stderr may not be read yet.
    await this.end()
    const message = describeFailure({
      scenario: this.#scenario.name,
      place: this.#place,
      error: question,
      replay: this.#place === 'the replay' ? [] : replayFailures(this.#workplace.report),
      refused,
      // Remove secrets here, before the texts are shortened and prefixed line by line.
      frames: frames.map((frame) => ({ ...frame, text: this.#start.withoutSecrets(frame.text) })),
      stderr: this.#start.withoutSecrets(this.#agent.stderr),
    })
    // A TypeError is a bug of ours: keep its stack.
    const options = error instanceof TypeError ? { cause: error } : {}
    return new ScenarioError(this.#start.withoutSecrets(message), options)
  }

  #finish(): FinishedRun {
    const sessionIds = this.#sessions.ids
    const { requestIds, sent, orderedFrames } = this.#messages
    const sentInRun = { requestIds, sessionIds, sent, ports: this.#start.ports }
    const volatile = volatileOf(this.#workplace, this.#scenario.input, this.#options, sentInRun)
    const frames = orderedFrames.map(({ text }) => text)
    const hints = { sessionIds, frames, volatile }
    return {
      scenario: this.#scenario,
      transcript: { kind: 'acp-transcript', frames, volatile },
      frameSteps: orderedFrames.map(({ step }) => step),
      logs: harvestLogs(this.#workplace.sessions, this.#logFormat, hints),
      logFormat: this.#logFormat,
      volatile,
      cwd: this.#workplace.cwd,
      stderr: this.#agent.stderr,
      refused: this.#client.refused,
      withoutSecrets: (text) => this.#start.withoutSecrets(text),
    }
  }
}
