import type { StreamChunk } from '@acp-snapshot/session'

/** One HTTP API of a model: which requests are its own, and how an answer is encoded for it. */
export interface Wire {
  readonly name: 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini'
  /** What the request asks of this wire. `undefined` if the wire does not know the path. */
  route(request: WireRequest): Route | undefined
  /** Whether the client speaks this wire, for a path that no wire knows: an error must have its shape. */
  recognizes(request: WireRequest): boolean
  /**
   * The server-sent events of an answer, each printed with its blank line. Chunks without a finish are the beginning of
   * an answer: the last block stays open, unless its end is among the chunks.
   *
   * @throws Error if the wire cannot encode the chunks
   */
  events(chunks: readonly StreamChunk[], call: Call): string[]
  /** The events that follow each complete answer, whatever it contains. */
  readonly end: readonly string[]
  /**
   * The answer to a request that does not stream.
   *
   * @throws Error if the wire cannot encode the chunks
   */
  body(chunks: readonly StreamChunk[], call: Call): unknown
  /** The body of an HTTP error, with the given message or the provider's own. */
  error(status: number, message?: string): unknown
  /** An event that is not JSON. */
  readonly malformed: string
  /** The status for a call that gets no answer. */
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

/** A model call, as far as its answer repeats it. */
export interface Call {
  model: string
  /** Letters, digits and `_`. It is part of the ids in the answer, and unique: agents merge messages that share an id. */
  answerId: string
}

export type Route =
  /** A model call, which takes an answer. */
  | { kind: 'call'; model: string; stream: boolean }
  /** A question beside the calls, with its fixed answer. */
  | { kind: 'look-up'; answer: unknown }
  | { kind: 'refused'; status: number; message: string }
