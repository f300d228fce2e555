import type { SessionLog } from './append-only-log.ts'
import { type EventData, type EventType, isEvent, type SessionEvent } from './event.ts'

/**
 * Closes the turn that a crash interrupted, if there is one: each call without a result gets one, then the open step and
 * the turn end.
 *
 * @returns the appended events, which the caller has to persist
 */
export function closeInterruptedTurn(log: SessionLog): SessionEvent[] {
  const start = log.events.findLastIndex((event) => isEvent(event, 'turn/start'))
  const turn = log.events[start]
  const events = log.events.slice(start)
  if (!turn || !isEvent(turn, 'turn/start') || events.some((event) => isEvent(event, 'turn/end'))) return []

  const closing: SessionEvent[] = []
  const append = <T extends EventType>(type: T, data: EventData[T], sourceEventSeqs?: number[]): number => {
    const event = log.append(type, data, sourceEventSeqs && { sourceEventSeqs })
    closing.push(event)
    return event.seq
  }
  const step = openStep(events)
  if (step !== undefined) {
    const at = { turn: turn.data.turn, step }
    for (const call of openCalls(events)) {
      const { id, name, arguments: args } = call
      const seq = call.seq ?? append('tool/call', { ...at, callId: id, name, arguments: args })
      append('tool/result', { ...at, callId: id, ...interruptedResult }, [seq])
    }
    append('step/end', at)
  }
  append('turn/end', { turn: turn.data.turn, reason: { kind: 'interrupted' } })
  return closing
}

const interruptedResult = {
  content: [{ type: 'text' as const, text: '[interrupted]' }],
  isError: true,
  error: { name: 'Interrupted', code: 'INTERRUPTED' },
}

function openStep(events: readonly SessionEvent[]): number | undefined {
  const last = events.findLast((event) => isEvent(event, 'step/start') || isEvent(event, 'step/end'))
  return last && isEvent(last, 'step/start') ? last.data.step : undefined
}

/** The calls of the last answer that have no result. `seq` is the seq of the `tool/call` event, if there is one. */
function openCalls(events: readonly SessionEvent[]) {
  const from = events.findLastIndex((event) => isEvent(event, 'step/start'))
  const step = events.slice(from)
  const done = new Set(step.flatMap((event) => (isEvent(event, 'tool/result') ? [event.data.callId] : [])))
  const started = new Map(
    step.flatMap((event) => (isEvent(event, 'tool/call') ? [[event.data.callId, event.seq]] : [])),
  )
  return step
    .flatMap((event) => (isEvent(event, 'assistant/message') ? event.data.content : []))
    .flatMap((block) => (block.type === 'tool-call' && !done.has(block.id) ? [block] : []))
    .map((call) => ({ ...call, seq: started.get(call.id) }))
}
