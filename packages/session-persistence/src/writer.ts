import type { SessionEvent } from '@acp-snapshot/session'

/** The one writer of one persisted log. */
export interface LogWriter {
  /** Appends one event; it has left this process when the call returns. */
  append(event: SessionEvent): void
  /** Resolves once all that was appended is on the disk. */
  flush(): Promise<void>
  /** Flushes, and lets the next writer in. */
  close(): Promise<void>
  /** Lets the next writer in at once, without a flush: for a log that cannot be gone on with. */
  abandon(): void
}

/** A log that another process writes already. */
export class LogBusyError extends Error {
  override name = 'LogBusyError'
}
