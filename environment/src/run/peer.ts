import type { Frame } from '../child/index.ts'
import { inspect, StepError } from '../scenario-error.ts'
import { isRecord, type Message, type Response, readMessage } from './message.ts'

export { isRecord, type Response } from './message.ts'

/** An update that the agent sent. */
export interface Update {
  sessionId: unknown
  kind: unknown
  value: Record<string, unknown>
}

/** Answers a request of the agent, immediately or later. */
export type Answer = (method: string, params: Record<string, unknown>) => Response | Promise<Response>

/** A request of the client, or a notification (without `id`). */
export interface Call {
  jsonrpc: '2.0'
  id?: number
  method: string
  params: object
}

/** A message of the client. A response has no id yet. */
export type Outgoing = Call | ({ jsonrpc: '2.0' } & Response)

/** Sends a message. `id`, for a response, is the raw JSON text of the request's id. */
type Send = (message: Outgoing, id?: string) => void

interface Pending {
  method: string
  resolve: (response: Response) => void
}

/** The client side of one connection. It enforces JSON-RPC 2.0; the steps check what the messages say. */
export class Peer {
  readonly #send: Send
  readonly #answer: Answer
  readonly #nextId: () => number
  /** The requests that wait for a response, by the text of their id. */
  readonly #pending = new Map<string, Pending>()
  /** The methods of the answered requests, by the text of their id. */
  readonly #answered = new Map<string, string>()
  #listeners: ((update: Update) => void)[] = []

  /** @param nextId returns the id of the next request; ids keep counting across restarts of the agent */
  constructor(send: Send, answer: Answer, nextId: () => number) {
    this.#send = send
    this.#answer = answer
    this.#nextId = nextId
  }

  request(method: string, params: object): Promise<Response> {
    const id = this.#nextId()
    const response = new Promise<Response>((resolve) => this.#pending.set(String(id), { method, resolve }))
    this.#send({ jsonrpc: '2.0', id, method, params })
    return response
  }

  notify(method: string, params: object): void {
    this.#send({ jsonrpc: '2.0', method, params })
  }

  onUpdate(listener: (update: Update) => void): void {
    this.#listeners.push(listener)
  }

  /** Handles a frame from the agent. @throws StepError for one that JSON-RPC forbids */
  receive(frame: Frame): void {
    const message = readMessage(frame)
    if (message.kind === 'request') this.#receiveRequest(message)
    else if (message.kind === 'notification') this.#receiveNotification(message)
    else this.#receiveResponse(message, frame)
  }

  #receiveRequest({ id, method, params }: Message & { kind: 'request' }): void {
    const answer = this.#answer(method, params)
    const respond = (response: Response) => this.#send({ jsonrpc: '2.0', ...response }, id)
    if ('then' in answer) void answer.then(respond)
    else respond(answer)
  }

  #receiveNotification({ method, params }: Message & { kind: 'notification' }): void {
    if (method !== 'session/update' || !isRecord(params.update)) return
    const { update, sessionId } = params
    for (const listener of this.#listeners) listener({ sessionId, kind: update.sessionUpdate, value: update })
  }

  #receiveResponse({ id, response }: Message & { kind: 'response' }, { value }: Frame): void {
    const pending = this.#pending.get(id)
    if (!pending) throw this.#unasked(id, value)
    this.#pending.delete(id)
    this.#answered.set(id, pending.method)
    pending.resolve(response)
  }

  #unasked(id: string, value: Record<string, unknown>): StepError {
    const answered = this.#answered.get(id)
    if (answered !== undefined) {
      return new StepError(`one response to request ${id} (${answered})`, `a second one: ${inspect(value)}`)
    }
    const meant = [...this.#pending].find(([sent]) => Number(sent) === Number(value.id) && value.id !== '')
    if (value.id !== null && meant) {
      const [sent, { method }] = meant
      return new StepError(`the response to ${method} to repeat the id ${sent} exactly`, `${id}: ${inspect(value)}`)
    }
    return new StepError('a response to a request that was sent and is not answered yet', inspect(value))
  }
}
