import type { Workplace } from '../child/index.ts'
import type { AcpOptions } from '../options.ts'
import type { ClientSide } from './client-side.ts'
import { Connection } from './connection.ts'
import type { RunMessages } from './messages.ts'
import type { Peer, Update } from './peer.ts'
import type { AgentStart } from './start.ts'
import { requireNoStrays } from './strays.ts'

interface RunningAgentOptions {
  start: AgentStart
  client: ClientSide
  messages: RunMessages
  workplace: Workplace
  options: AcpOptions
  onUpdate: (update: Update) => void
  /** The number of the current step. */
  step: () => number
}

/** The agent of a run: one process after the other, with what the client runs for it. */
export class RunningAgent {
  readonly #parts: RunningAgentOptions
  readonly #stderr: string[] = []
  #connection: Connection | undefined
  /** Settles when the agent has started or could not be started. Never rejects. */
  #opening: Promise<unknown> | undefined
  #ended = false

  constructor(parts: RunningAgentOptions) {
    this.#parts = parts
  }

  /** Starts a process. @throws Error when the run has ended, or when it cannot be started */
  async open(): Promise<void> {
    if (this.#ended) throw new Error('the run has ended')
    const opening = this.#connect()
    this.#opening = opening.catch(() => undefined)
    this.#connection = await opening
    this.#connection.peer.onUpdate(this.#parts.onUpdate)
  }

  /** Ends the process as the options say, then its terminals. @throws StepError when it does not end so, or leaves a process */
  async close(): Promise<void> {
    const connection = this.#connection
    if (!connection) return
    const { options, client, workplace } = this.#parts
    try {
      await connection.close(options.deadlines.exitMs, options.exit)
      await client.terminals.releaseAll()
      await requireNoStrays(workplace)
    } finally {
      this.#stderr.push(connection.stderr)
      this.#connection = undefined
    }
  }

  /** Kills the process, also one that is just being started, and its terminals. No other one starts. */
  async end(): Promise<void> {
    this.#ended = true
    await this.#opening
    await this.#connection?.kill()
    await this.#parts.client.terminals.releaseAll()
  }

  get peer(): Peer {
    if (!this.#connection) throw new Error('no connection')
    return this.#connection.peer
  }

  /** Rejects when the process can no longer take part; `undefined` while none runs. */
  get broken(): Promise<never> | undefined {
    return this.#connection?.broken
  }

  /** What all its processes wrote. */
  get stderr(): string {
    return [...this.#stderr, this.#connection?.stderr ?? ''].join('')
  }

  /** Resolves once neither side has sent anything for `ms` milliseconds. */
  async quiet(ms: number): Promise<void> {
    await this.#connection?.quiet(ms)
  }

  async #connect(): Promise<Connection> {
    const { start, client, messages, workplace, step } = this.#parts
    return Connection.open({
      launch: await start.launch(),
      cwd: workplace.cwd,
      answer: client.answer,
      nextId: () => messages.nextId(),
      onFrame: ({ text }) => messages.receive(text, step()),
      onSend: (call) => {
        client.sends(call)
        messages.send(call)
      },
    })
  }
}
