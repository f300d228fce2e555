import type { EventData, EventOf, EventType, SessionEvent, SessionHeader } from './event.ts'
import { isEvent, SURFACE_TYPES } from './event.ts'

/** Optional fields of an event. */
interface AppendOptions {
  sourceEventSeqs?: readonly number[]
}

/** The append-only log of one session, in memory. Appended events are deeply frozen. */
export class SessionLog {
  readonly header: Readonly<SessionHeader>
  readonly #events: SessionEvent[] = []
  readonly #now: () => number

  /** @param events the events that an earlier process persisted; their `seq` must count from 0 without gaps */
  constructor(header: SessionHeader, events: readonly SessionEvent[] = [], now: () => number = Date.now) {
    this.header = Object.freeze({ ...header })
    this.#now = now
    for (const event of events) this.#push(event)
  }

  get events(): readonly SessionEvent[] {
    return this.#events
  }

  /** Appends one event and returns it as stored. */
  append<T extends EventType>(type: T, data: EventData[T], options: AppendOptions = {}): EventOf<T> {
    return this.#push({
      type,
      seq: this.#events.length,
      time: this.#now(),
      data,
      ...(options.sourceEventSeqs && { sourceEventSeqs: options.sourceEventSeqs }),
      ...(SURFACE_TYPES.has(type) && { surfaceOp: 'append' as const }),
    })
  }

  /** The last event of a type. */
  last<T extends EventType>(type: T): EventOf<T> | undefined {
    return this.#events.findLast((event): event is EventOf<T> => isEvent(event, type))
  }

  #push<E extends SessionEvent>(event: E): E {
    const expected = this.#events.length
    if (event.seq !== expected) {
      throw new Error(`session ${this.header.id}: expected seq ${expected}, got ${event.seq}`)
    }
    this.#events.push(deepFreeze(event))
    return event
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const child of Object.values(value)) deepFreeze(child)
  return value
}
