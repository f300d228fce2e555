import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { answerRequest } from './answer-request.ts'
import { type ReceivedRequest, receive } from './received-request.ts'
import { Script } from './script.ts'
import { createRandom } from './seeded-random.ts'
import { sendPlan } from './send.ts'
import type { ScriptAnswer } from './server-answer.ts'

export interface LlmServerOptions {
  /**
   * One answer per call. The first conditional answer that fits a call is taken, otherwise the next one in order. A call
   * without an answer gets an HTTP error that says so.
   */
  script: readonly ScriptAnswer[]
  /** Starts the script again when it is used up. */
  repeat?: boolean | undefined
  /** Default: 0, a free port. */
  port?: number | undefined
  /** The seed for the cuts of texts and packets, and for the delays. Default: 1. */
  seed?: number | undefined
  /** The longest packet, in bytes. Default: one packet per event. */
  packetBytes?: number | undefined
  /** The longest delay before a packet, in ms. Default: 0. */
  delayMs?: number | undefined
  /** Gets one line for each request that is refused: one without an answer, or to an unknown path. Default: no one does. */
  warn?: ((line: string) => void) | undefined
}

export interface LlmServer {
  readonly url: string
  readonly port: number
  /** All requests so far, in order. */
  readonly requests: readonly ReceivedRequest[]
  /** The number of connections so far. */
  readonly connections: number
  /** The places in the script of the answers that no call has taken. */
  readonly untaken: readonly number[]
  /** Appends answers to the script. */
  enqueue(...answers: ScriptAnswer[]): void
  /** Closes the port and every connection. */
  close(): Promise<void>
}

/** Starts a model API on the loopback interface, answered from a script. The path of a request picks its wire. */
export async function startLlmServer(options: LlmServerOptions): Promise<LlmServer> {
  const { seed = 1, delayMs = 0, packetBytes, warn = () => undefined } = options
  const script = new Script(options.script, options.repeat ?? false)
  const requests: ReceivedRequest[] = []
  let connections = 0

  const server = createServer(async (incoming, response) => {
    const received = await receive(incoming)
    if (!received) return
    const random = createRandom(seed + requests.length)
    requests.push(received.request)
    const plan = answerRequest(received, { script, random, packetBytes, warn })
    await sendPlan(plan, response, () => random.integer(0, delayMs))
  })
  server.on('connection', (socket) => {
    connections += 1
    socket.setNoDelay(true)
  })
  const port = await listen(server, options.port ?? 0)

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    get connections() {
      return connections
    },
    get untaken() {
      return script.untaken
    },
    enqueue: (...answers) => script.add(answers),
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error(`no TCP address: ${String(address)}`)
  return address.port
}
