import type { ReplayEntry, StreamChunk } from '@acp-snapshot/session'

/** What one request is answered with: a text, a replay entry, or a fault. */
export type ServerAnswer = string | ReplayEntry | Fault

/** What the model says: a text, cut into deltas by the seeded random source, or chunks as they are. */
export type Said = string | StreamChunk[]

/** A failure to inject. `said` is what goes out before it, or within it; nothing when left out. */
export type Fault =
  /** An HTTP error with the provider's error body. */
  | { fault: 'status'; status: number; message?: string | undefined }
  /** The connection is reset before any header. */
  | { fault: 'reset' }
  /** The socket is destroyed after `said`, which never finishes. */
  | { fault: 'cut'; said?: Said | undefined }
  /** Nothing more comes after `said`, until the client goes away. */
  | { fault: 'stall'; said?: Said | undefined }
  /** An event that is not JSON comes after `said`. */
  | { fault: 'malformed'; said?: Said | undefined }
  /** 200, but a page of HTML. */
  | { fault: 'html' }
  /** 200 and an event stream without an event. */
  | { fault: 'empty' }
  /** The whole answer, without `data: [DONE]`. */
  | { fault: 'no-done'; said: Said }
  /** The whole answer, with a packet boundary inside every character of several bytes. */
  | { fault: 'split-utf8'; said: Said }
