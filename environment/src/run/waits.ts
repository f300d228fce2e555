import { withDeadline } from '../child/index.ts'
import { type AcpOptions, SETTLE_MS } from '../options.ts'
import type { Step } from '../scenario/input/parse-input.ts'
import { inspect } from '../scenario-error.ts'
import type { ClientSide } from './client-side.ts'
import type { RunningAgent } from './running-agent.ts'
import type { RunSessions } from './sessions.ts'

interface WaitsOptions {
  options: AcpOptions
  /** Whether the agent calls the real model. */
  isLive: boolean
  agent: RunningAgent
  client: ClientSide
  sessions: RunSessions
  /** Rejects when the run is stopped. */
  aborted: Promise<never>
}

/** What a run waits for, and how long. A wait also ends when the agent breaks, or the run is stopped. */
export class Waits {
  readonly #parts: WaitsOptions

  constructor(parts: WaitsOptions) {
    this.#parts = parts
  }

  /** Waits for the end of a step. @throws also when the agent asked for a permission that the script has no answer for */
  async step(step: Step, work: Promise<void>): Promise<void> {
    const { stepMs, recordStepMs } = this.#parts.options.deadlines
    const what = step.op === 'settle' ? quietFor(step.ms ?? this.#settleMs) : `the end of ${inspect(step)}`
    await this.#within(work, what, this.#parts.isLive ? recordStepMs : stepMs)
  }

  /** Waits for frames that the agent sends after the last response. Without a session there are none. */
  async lastWords(): Promise<void> {
    if (this.#parts.sessions.ids.length > 0) {
      await this.#within(this.settle(), quietFor(this.#settleMs), this.#lastWordsMs)
    }
    const problem = this.#parts.client.permissions.openProblem()
    if (problem) throw problem
  }

  /** Waits until the agent is quiet. It has no deadline of its own. */
  async settle(ms: number = this.#settleMs): Promise<void> {
    await this.#parts.agent.quiet(ms)
  }

  /** Waits for updates after a turn: if `settleMs` is set, and no other turn runs in the background. */
  async turnEnded(): Promise<void> {
    const { options, sessions } = this.#parts
    if (options.settleMs === undefined || sessions.hasBackgroundPrompt) return
    await withDeadline(this.settle(), this.#lastWordsMs, quietFor(this.#settleMs))
  }

  async #within(work: Promise<void>, what: string, ms: number): Promise<void> {
    const { agent, client, aborted } = this.#parts
    await withDeadline(Promise.race([work, agent.broken ?? aborted, aborted]), ms, what)
    if (client.question) throw client.question
  }

  get #settleMs(): number {
    return this.#parts.options.settleMs ?? SETTLE_MS
  }

  /** How long an agent may go on sending after a turn, or after the last step. */
  get #lastWordsMs(): number {
    return this.#settleMs + this.#parts.options.deadlines.exitMs
  }
}

function quietFor(ms: number): string {
  return `the agent to be quiet for ${ms} ms`
}
