import type { ReplayEntry, StreamChunk } from '@acp-snapshot/session'

/** The answer to one request: a text, a replay entry, or a fault. */
export type ServerAnswer = string | ReplayEntry | Fault

/** An answer for the requests that a condition fits: agents ask for a title or a summary beside the turn itself. */
export interface ConditionalAnswer {
  /** A part of the request's body: of one of its strings, or of its JSON without spaces. */
  when: { contains: string }
  /** `any`: for each such request. Default: for one, unless the script repeats. */
  times?: 'any' | undefined
  answer: ServerAnswer
}

/** One entry of a script. */
export type ScriptAnswer = ServerAnswer | ConditionalAnswer

/** What the model says: a text, which the server cuts into deltas at random, or chunks. */
export type Said = string | StreamChunk[]

/** A failure to inject. The server sends `said` before the failure. */
export type Fault =
  /** An HTTP error with the provider's error body. */
  | { fault: 'status'; status: number; message?: string | undefined }
  /** The connection is reset before any header. */
  | { fault: 'reset' }
  /** The connection is cut after `said`. */
  | { fault: 'cut'; said?: Said | undefined }
  /** The server sends nothing after `said`, until the client disconnects. */
  | { fault: 'stall'; said?: Said | undefined }
  /** The server sends an event that is not JSON after `said`. */
  | { fault: 'malformed'; said?: Said | undefined }
  /** 200, but a page of HTML. */
  | { fault: 'html' }
  /** 200 and an event stream without an event. */
  | { fault: 'empty' }
  /** The whole answer, without its last event, such as `data: [DONE]`. */
  | { fault: 'no-done'; said: Said }
  /** The whole answer, with a packet boundary inside every character of several bytes. */
  | { fault: 'split-utf8'; said: Said }
