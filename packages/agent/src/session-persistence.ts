import type { ParsedLog, SessionEvent, SessionHeader } from '@acp-snapshot/session'

declare module 'cordis' {
  interface Context {
    sessionPersistence: SessionPersistence
  }
}

/** `ctx.sessionPersistence`: stores session logs. It is optional: read it with `ctx.get('sessionPersistence')`. */
export interface SessionPersistence {
  /** Starts the log of a new session. @throws Error when a session with this id exists */
  create(header: SessionHeader): LogWriter

  /**
   * Opens a persisted log to continue it. A last line that a crash left incomplete is removed.
   *
   * @returns `undefined` when no log has this id
   * @throws SessionLogError for a log that is invalid in any other way
   * @throws Error when another writer has it open
   */
  open(id: string): { log: ParsedLog; writer: LogWriter } | undefined

  /** The headers of all persisted logs, oldest first. */
  list(): SessionHeader[]
}

/** The only writer of one persisted log. */
export interface LogWriter {
  /** Appends one event. The data has left this process when the call returns. */
  append(event: SessionEvent): void
  /** Resolves once everything appended is on the disk. */
  flush(): Promise<void>
  /** Flushes, and releases the log for the next writer. */
  close(): Promise<void>
  /** Releases the log at once, without a flush: for a log that cannot be continued. */
  abandon(): void
}
