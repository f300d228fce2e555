import { type ClientMessage, canonicalOrder } from 'jest-serializer-acp'
import type { RunFrame } from './failure.ts'
import type { Call } from './peer.ts'

/** The messages of a run, of both sides, across restarts. */
export class RunMessages {
  /** `sent` is how many messages the client had sent when the frame came. */
  readonly #frames: (RunFrame & { sent: number })[] = []
  readonly #sent: ClientMessage[] = []
  readonly #requestIds: number[] = []

  /** The id of the client's next request. */
  nextId(): number {
    return this.#requestIds.push(this.#requestIds.length + 1)
  }

  receive(text: string, step: number): void {
    this.#frames.push({ text, step, sent: this.#sent.length })
  }

  send({ id, method, params }: Call): void {
    const sessionId = 'sessionId' in params ? String(params.sessionId) : undefined
    this.#sent.push({ id, method, sessionId })
  }

  /** The ids of the client's requests. */
  get requestIds(): readonly number[] {
    return this.#requestIds
  }

  /** The requests and notifications of the client. */
  get sent(): readonly ClientMessage[] {
    return this.#sent
  }

  /** The agent's frames, in the order in which they came. */
  get frames(): readonly RunFrame[] {
    return this.#frames
  }

  /** The agent's frames, in their canonical order. */
  get orderedFrames(): readonly RunFrame[] {
    return canonicalOrder(this.#frames, this.#sent).flatMap((i) => this.#frames[i] ?? [])
  }
}
