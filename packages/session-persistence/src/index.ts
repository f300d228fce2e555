import type { ParsedLog, SessionHeader } from '@acp-snapshot/session'
import { Service } from 'cordis'
import type { LogWriter } from './writer.ts'

declare module 'cordis' {
  interface Context {
    sessionPersistence: SessionPersistence
  }
}

export type { LogWriter } from './writer.ts'
export { LogBusyError } from './writer.ts'

/** `ctx.sessionPersistence`: where session logs are kept. It is optional: read it with `ctx.get('sessionPersistence')`. */
export abstract class SessionPersistence extends Service {
  /** Starts the log of a new session. @throws LogBusyError when a session of this id exists */
  abstract create(header: SessionHeader): LogWriter

  /**
   * Opens a persisted log to continue it, or gives `undefined` when no log has this id.
   * A last line that a crash tore is cut.
   *
   * @throws SessionLogError for a log that is broken in any other way
   * @throws LogBusyError when another writer has it open
   */
  abstract open(id: string): { log: ParsedLog; writer: LogWriter } | undefined

  /** The headers of all persisted logs, oldest first. */
  abstract list(): SessionHeader[]
}
