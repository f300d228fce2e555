import type { StreamChunk } from '@acp-snapshot/session'

/** One HTTP API of a model: which requests are its own, and how an answer is encoded for it. */
export interface Wire {
  readonly name: 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini'
  /** What the request asks of this wire. `undefined` if the request belongs to another wire. */
  route(request: WireRequest): Route | undefined
  /**
   * The server-sent events of an answer, each printed with its blank line. Chunks without a finish are the beginning of
   * an answer: the last block stays open.
   *
   * @throws Error if the wire cannot encode the chunks
   */
  events(chunks: readonly StreamChunk[], model: string): string[]
  /** The events that follow each complete answer, whatever it contains. */
  readonly end: readonly string[]
  /** The answer to a request that does not stream. */
  body(chunks: readonly StreamChunk[], model: string): unknown
  /** The body of an HTTP error, with the given message or the provider's own. */
  error(status: number, message?: string): unknown
  /** An event that is not JSON. */
  readonly malformed: string
  /** The status for a call that has no answer. Its clients should not retry it. */
  readonly unansweredStatus: number
}

/** The parts of a request that a wire reads. */
export interface WireRequest {
  method: string
  /** With the query. */
  path: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: unknown
}

export type Route =
  /** A model call, which takes an answer of the script. */
  | { kind: 'call'; model: string; stream: boolean }
  /** A question beside the calls, with its fixed answer. */
  | { kind: 'look-up'; answer: unknown }
  | { kind: 'refused'; status: number; message: string }
