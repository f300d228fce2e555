import type { ReplayEntry } from '@acp-snapshot/session'
import { errorBody } from './error-body.ts'
import { cutAtRandom, cutInsideCharacters } from './packets.ts'
import { toProviderEvents } from './provider-events.ts'
import type { Random } from './seeded-random.ts'
import type { Fault, Said, ServerAnswer } from './server-answer.ts'
import { textAnswer, textDeltas } from './text-answer.ts'

/** The response to one request. `reset` sends nothing; `cut` and `stall` happen after the packets. */
export type Plan =
  | { end: 'reset' }
  | { end: 'close' | 'cut' | 'stall'; status: number; contentType: string; packets: Uint8Array[] }

interface PlanOptions {
  /** The model that the request names. */
  model: string
  random: Random
  /** The longest packet, in bytes. Default: one packet per event. */
  packetBytes?: number | undefined
}

const DONE = 'data: [DONE]\n\n'

/** Turns an answer into the response that is sent. */
export function planAnswer(answer: ServerAnswer, options: PlanOptions): Plan {
  if (typeof answer === 'string') return stream(whole(answer, options), 'close', options)
  return 'fault' in answer ? planFault(answer, options) : planEntry(answer, options)
}

/** Plans an HTTP error with the provider's error body. */
export function planError(status: number, message?: string): Plan {
  const packets = [encode(JSON.stringify(errorBody(status, message)))]
  return { end: 'close', status, contentType: 'application/json', packets }
}

function planEntry(entry: ReplayEntry, options: PlanOptions): Plan {
  switch (entry.kind) {
    case 'chunks':
      return stream(whole(entry.chunks, options), 'close', options)
    case 'throw':
      if (entry.chunks.length > 0) return stream(begun(entry.chunks, options), 'cut', options)
      return entry.status === undefined ? { end: 'reset' } : planError(entry.status, entry.message)
    case 'hang':
      return stream(begun(entry.chunks, options), 'stall', options)
  }
}

function planFault(fault: Fault, options: PlanOptions): Plan {
  switch (fault.fault) {
    case 'status':
      return planError(fault.status, fault.message)
    case 'reset':
      return { end: 'reset' }
    case 'cut':
      return stream(begun(fault.said, options), 'cut', options)
    case 'stall':
      return stream(begun(fault.said, options), 'stall', options)
    case 'malformed':
      return stream([...begun(fault.said, options), 'data: {"choices":[{"delta"\n\n'], 'close', options)
    case 'html': {
      const page = '<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>'
      return { end: 'close', status: 200, contentType: 'text/html; charset=utf-8', packets: [encode(page)] }
    }
    case 'empty':
      return stream([], 'close', options)
    case 'no-done':
      return stream(whole(fault.said, options).slice(0, -1), 'close', options)
    case 'split-utf8': {
      const plan = stream(whole(fault.said, options), 'close', options)
      return { ...plan, packets: cutInsideCharacters(Buffer.concat(plan.packets)) }
    }
  }
}

/** The events of a complete answer, with `[DONE]`. */
function whole(said: Said, options: PlanOptions): string[] {
  const chunks = typeof said === 'string' ? textAnswer(said, options.random) : said
  return [...toProviderEvents(chunks, options.model).map(printEvent), DONE]
}

/** The events of an incomplete answer. */
function begun(said: Said | undefined, options: PlanOptions): string[] {
  const chunks = typeof said === 'string' ? textDeltas(said, options.random) : (said ?? [])
  return toProviderEvents(chunks, options.model).map(printEvent)
}

function stream(events: string[], end: 'close' | 'cut' | 'stall', { packetBytes, random }: PlanOptions) {
  const packets = packetBytes
    ? cutAtRandom(encode(events.join('')), packetBytes, random)
    : events.map((event) => encode(event))
  return { end, status: 200, contentType: 'text/event-stream; charset=utf-8', packets }
}

function printEvent(event: unknown): string {
  return `data: ${JSON.stringify(event)}\n\n`
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
