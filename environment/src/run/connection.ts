import { setImmediate, setTimeout } from 'node:timers/promises'
import { AgentProcess, type Frame, type Noise, shutdown } from '../child/index.ts'
import type { Launch } from '../options.ts'
import { inspect, StepError } from '../scenario-error.ts'
import { type Answer, type Call, type Outgoing, Peer } from './peer.ts'

interface ConnectionOptions {
  launch: Launch
  cwd: string
  answer: Answer
  nextId: () => number
  /** Is given each frame, before the peer acts on it. */
  onFrame: (frame: Frame) => void
  /** Is given each request and each notification of the client, before it is sent. */
  onSend?: ((message: Call) => void) | undefined
}

/** One process of the agent under test, and the client that speaks to it. */
export class Connection {
  readonly peer: Peer
  /** Rejects, and never resolves, with what no step can live with: noise on stdout, or the agent's death. */
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
        // What follows may have come in the same read, or not: it is not looked at.
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

  /** Resolves once nothing has been said for `ms` milliseconds, on either side. What was quiet already counts. */
  async quiet(ms: number): Promise<void> {
    for (let left = this.#quietLeft(ms); left > 0; left = this.#quietLeft(ms)) {
      await setTimeout(left, undefined, { ref: false })
      // What came while we were busy is read before this.
      await setImmediate()
    }
  }

  #quietLeft(ms: number): number {
    return this.#traffic.last + ms - performance.now()
  }

  /** Ends the agent as an editor does. @throws StepError when it does not exit by itself, with code 0 */
  async close(exitMs: number): Promise<void> {
    this.#closing = true
    const { exit, forced } = await shutdown(this.#agent, { graceMs: exitMs })
    const expected = `the agent to exit with code 0 within ${exitMs} ms of the end of its stdin`
    if (forced) throw new StepError(expected, `no exit: ${forced} ended it`)
    if (exit.code !== 0)
      throw new StepError(expected, exit.signal ? `its death on ${exit.signal}` : `code ${exit.code}`)
    await Promise.race([this.broken, Promise.resolve()])
  }

  /** Kills the agent and all that it started. */
  async kill(): Promise<void> {
    this.#closing = true
    this.#agent.signal('SIGKILL')
    await this.#agent.exited
  }
}

/** When either side said something last. */
interface Traffic {
  last: number
}

function noise({ why, text }: Noise): StepError {
  const advice = why === 'torn' || why === 'too long' ? '' : '\n  Write logs to stderr: stdout carries the protocol.'
  return new StepError('only JSON-RPC messages on stdout', `a line that is ${why}: ${inspect(text)}${advice}`)
}
