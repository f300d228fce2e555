import type { Frame } from '../child/index.ts'
import { inspect, StepError } from './error.ts'

/** A response, as it came. */
export type Response = { result: unknown } | { error: { code: number; message: string; data?: unknown } }

/** An update that the agent sent. */
export interface Update {
  sessionId: unknown
  kind: unknown
  value: Record<string, unknown>
}

/** How the client answers a request of the agent. */
export type Answer = (method: string, params: Record<string, unknown>) => Response

/**
 * The client's end of one connection: JSON-RPC 2.0, checked no further than it has to be, since the agent at the other
 * end is what is being tested.
 */
export class Peer {
  readonly #send: (message: object) => void
  readonly #answer: Answer
  readonly #nextId: () => number
  readonly #pending = new Map<unknown, (response: Response) => void>()
  #listeners: ((update: Update) => void)[] = []

  /** @param nextId gives the id of each request; the ids of one scenario go on over its restarts */
  constructor(send: (message: object) => void, answer: Answer, nextId: () => number) {
    this.#send = send
    this.#answer = answer
    this.#nextId = nextId
  }

  request(method: string, params: object): Promise<Response> {
    const id = this.#nextId()
    const response = new Promise<Response>((resolve) => this.#pending.set(id, resolve))
    this.#send({ jsonrpc: '2.0', id, method, params })
    return response
  }

  notify(method: string, params: object): void {
    this.#send({ jsonrpc: '2.0', method, params })
  }

  onUpdate(listener: (update: Update) => void): void {
    this.#listeners.push(listener)
  }

  /** Takes a frame of the agent. @throws StepError for one that a peer may not send */
  receive({ value }: Frame): void {
    if (typeof value.method !== 'string') {
      this.#receiveResponse(value)
      return
    }
    const params = isRecord(value.params) ? value.params : {}
    if ('id' in value) {
      this.#send({ jsonrpc: '2.0', id: value.id, ...this.#answer(value.method, params) })
    } else if (value.method === 'session/update' && isRecord(params.update)) {
      const { update, sessionId } = params
      for (const listener of this.#listeners) listener({ sessionId, kind: update.sessionUpdate, value: update })
    }
  }

  #receiveResponse(value: Record<string, unknown>): void {
    const resolve = this.#pending.get(value.id)
    if (!resolve) {
      throw new StepError('a response to a request that was sent and is not answered yet', inspect(value))
    }
    this.#pending.delete(value.id)
    resolve(toResponse(value))
  }
}

function toResponse(value: Record<string, unknown>): Response {
  const { error } = value
  if (!isRecord(error)) return { result: value.result }
  return { error: { code: Number(error.code), message: String(error.message), data: error.data } }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
