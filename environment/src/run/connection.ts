import { setImmediate, setTimeout } from 'node:timers/promises'
import { AgentProcess, type Exit, type ExitRequest, type Frame, type Noise, shutdown } from '../child/index.ts'
import type { Launch } from '../options.ts'
import { inspect, StepError } from '../scenario-error.ts'
import { type Answer, type Call, type Outgoing, Peer } from './peer.ts'

interface ConnectionOptions {
  launch: Launch
  cwd: string
  answer: Answer
  nextId: () => number
  /** Called with each frame, before the peer handles it. */
  onFrame: (frame: Frame) => void
  /** Called with each request and notification of the client, before it is sent. */
  onSend?: ((message: Call) => void) | undefined
}

/** One process of the agent under test, and the client that talks to it. */
export class Connection {
  readonly peer: Peer
  /** Never resolves. Rejects when no step can go on: noise on stdout, or the agent exited. */
  readonly broken: Promise<never>
  readonly #agent: AgentProcess
  readonly #traffic: Traffic
  #closing = false

  static async open(options: ConnectionOptions): Promise<Connection> {
    let breakWith: (error: Error) => void = () => undefined
    const broken = new Promise<never>((_, reject) => {
      breakWith = reject
    })
    broken.catch(() => undefined)
    let receive: (line: Frame | Noise) => void = () => undefined
    const { command, args, env } = options.launch
    const onLine = (line: Frame | Noise) => receive(line)
    const agent = await AgentProcess.spawn({ command, args, env, cwd: options.cwd, onLine })
    const traffic: Traffic = { last: performance.now() }
    const send = (message: Outgoing, id?: string) => {
      traffic.last = performance.now()
      if ('method' in message) options.onSend?.(message)
      agent.send(message, id)
    }
    const peer = new Peer(send, options.answer, options.nextId)
    receive = (line) => {
      traffic.last = performance.now()
      try {
        if (line.kind === 'noise') throw noise(line)
        options.onFrame(line)
        peer.receive(line)
      } catch (error) {
        // Ignore later lines: whether they arrived in the same read depends on timing.
        receive = () => undefined
        breakWith(error instanceof Error ? error : new Error(String(error)))
      }
    }
    return new Connection(agent, peer, traffic, broken, breakWith)
  }

  private constructor(
    agent: AgentProcess,
    peer: Peer,
    traffic: Traffic,
    broken: Promise<never>,
    breakWith: (error: Error) => void,
  ) {
    this.#agent = agent
    this.#traffic = traffic
    this.peer = peer
    this.broken = broken
    void agent.exited.then(({ code, signal }) => {
      if (this.#closing) return
      breakWith(new Error(`the agent exited ${signal ? `on ${signal}` : `with code ${code}`} during this step`))
    })
  }

  get stderr(): string {
    return this.#agent.stderr
  }

  /** Resolves once neither side has sent anything for `ms` milliseconds. Silence before the call counts. */
  async quiet(ms: number): Promise<void> {
    for (let left = this.#quietLeft(ms); left > 0; left = this.#quietLeft(ms)) {
      await setTimeout(left, undefined, { ref: false })
      // Let pending input be read first.
      await setImmediate()
    }
  }

  #quietLeft(ms: number): number {
    return this.#traffic.last + ms - performance.now()
  }

  /**
   * Ends the agent as an editor does: closes its stdin, and sends SIGTERM if the options say so.
   *
   * @throws StepError unless it exits in time: with code 0, or as a process does on a SIGTERM that was sent
   */
  async close(exitMs: number, request: ExitRequest = 'eof'): Promise<void> {
    this.#closing = true
    const { exit, forced } = await shutdown(this.#agent, { graceMs: exitMs, request })
    const expected = expectedExit(exitMs, request)
    if (forced) throw new StepError(expected, `no exit; it was stopped with ${forced}`)
    if (exit.code !== 0 && !(request === 'sigterm' && isByTerm(exit))) {
      throw new StepError(expected, exit.signal ? `an exit on ${exit.signal}` : `code ${exit.code}`)
    }
    await Promise.race([this.broken, Promise.resolve()])
  }

  /** Kills the agent and every process in its group. */
  async kill(): Promise<void> {
    this.#closing = true
    this.#agent.signal('SIGKILL')
    await this.#agent.exited
  }
}

function expectedExit(exitMs: number, request: ExitRequest): string {
  if (request === 'eof') return `the agent to exit with code 0 within ${exitMs} ms after its stdin closed`
  return `the agent to exit on SIGTERM, or with code 0 or ${TERM_CODE}, within ${exitMs} ms after its stdin closed and SIGTERM`
}

/** The code of a program that ends itself on SIGTERM: 128 and the number of the signal. */
const TERM_CODE = 143

/** On Windows, SIGTERM ends a process with any code. */
function isByTerm({ code, signal }: Exit): boolean {
  return signal === 'SIGTERM' || code === TERM_CODE || process.platform === 'win32'
}

interface Traffic {
  /** When either side last sent something, on the clock of `performance.now()`. */
  last: number
}

function noise({ why, text }: Noise): StepError {
  const advice = why === 'torn' || why === 'too long' ? '' : '\n  Write logs to stderr: stdout carries the protocol.'
  return new StepError('only JSON-RPC messages on stdout', `a line that is ${why}: ${inspect(text)}${advice}`)
}
