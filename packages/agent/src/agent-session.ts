import type { EventData, EventOf, EventType, SessionEvent, SessionLog } from '@acp-snapshot/session'
import type { LogWriter } from './session-persistence.ts'

/** A turn that runs. */
interface RunningTurn {
  readonly abort: AbortController
  readonly done: Promise<unknown>
}

/** One open session: its log, who persists it, and the turn that runs in it, if one does. */
export class AgentSession {
  readonly log: SessionLog
  /** Where its tools run: an absolute path, the one that the editor named last. */
  cwd: string
  /** Whether this process started from a persisted log. */
  readonly resumed: boolean
  turn: RunningTurn | undefined
  readonly #writer: LogWriter | undefined
  readonly #announce: (session: AgentSession, event: SessionEvent) => void

  constructor(options: {
    log: SessionLog
    cwd: string
    resumed: boolean
    writer: LogWriter | undefined
    announce: (session: AgentSession, event: SessionEvent) => void
  }) {
    this.log = options.log
    this.cwd = options.cwd
    this.resumed = options.resumed
    this.#writer = options.writer
    this.#announce = options.announce
  }

  get id(): string {
    return this.log.header.id
  }

  /** Appends an event to the log, persists it, and tells the listeners, in this order. */
  append<T extends EventType>(type: T, data: EventData[T], sourceEventSeqs?: readonly number[]): EventOf<T> {
    const event = this.log.append(type, data, sourceEventSeqs && { sourceEventSeqs })
    this.#writer?.append(event)
    this.#announce(this, event)
    return event
  }

  async flush(): Promise<void> {
    await this.#writer?.flush()
  }

  abandon(): void {
    this.#writer?.abandon()
  }

  async close(): Promise<void> {
    await this.#writer?.close()
  }
}
