import type { EventData, EventOf, EventType, SessionEvent, SessionLog } from '@acp-snapshot/session'
import type { LogWriter } from './session-persistence.ts'

/** A running turn. */
interface RunningTurn {
  readonly abort: AbortController
  readonly done: Promise<unknown>
}

/** One open session: its log, the log's writer, and the running turn, if any. */
export class AgentSession {
  readonly log: SessionLog
  /** The working directory of its tools: the absolute path that the editor sent last. */
  cwd: string
  /** Whether this process loaded the session from a persisted log. */
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

  /** Appends an event to the log, persists it, and then notifies the listeners. */
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
