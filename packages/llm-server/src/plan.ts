import { type Call, failureOf, gatherAnswer, type Wire } from '@acp-snapshot/model-wire'
import type { ReplayEntry, StreamChunk } from '@acp-snapshot/session'
import { cutAtRandom, cutInsideCharacters } from './packets.ts'
import type { Random } from './seeded-random.ts'
import type { Fault, Said, ServerAnswer } from './server-answer.ts'
import { textAnswer, textDeltas } from './text-answer.ts'

/** The response to one request. `reset` sends nothing; `cut` and `stall` happen after the packets. */
export type Plan =
  | { end: 'reset' }
  | { end: 'close' | 'cut' | 'stall'; status: number; contentType: string; packets: Uint8Array[] }

interface PlanOptions {
  /** How the answer is encoded. */
  wire: Wire
  call: Call
  /** Whether the request asks for an event stream. If not, the answer is one JSON body. */
  stream: boolean
  random: Random
  /** The longest packet, in bytes. Default: one packet per event. */
  packetBytes?: number | undefined
}

/**
 * Turns an answer into the response that is sent.
 *
 * @throws Error if the wire cannot encode the answer
 */
export function planAnswer(answer: ServerAnswer, options: PlanOptions): Plan {
  if (typeof answer === 'string') return planWhole(answer, options)
  return 'fault' in answer ? planFault(answer, options) : planEntry(answer, options)
}

/** Plans an HTTP error with the provider's error body. */
export function planError(wire: Wire, status: number, message?: string): Plan {
  return planJson(wire.error(status, message), status)
}

/** Plans one JSON body. */
export function planJson(body: unknown, status = 200): Plan {
  return { end: 'close', status, contentType: 'application/json', packets: [encode(JSON.stringify(body))] }
}

function planEntry(entry: ReplayEntry, options: PlanOptions): Plan {
  switch (entry.kind) {
    case 'chunks':
      return planWhole(entry.chunks, options)
    case 'throw':
      if (entry.chunks.length > 0) return planBegun(entry.chunks, 'cut', options)
      return entry.status === undefined ? { end: 'reset' } : planError(options.wire, entry.status, entry.message)
    case 'hang':
      return planBegun(entry.chunks, 'stall', options)
  }
}

function planFault(fault: Fault, options: PlanOptions): Plan {
  switch (fault.fault) {
    case 'status':
      return planError(options.wire, fault.status, fault.message)
    case 'reset':
      return { end: 'reset' }
    case 'cut':
    case 'stall':
      return planBegun(fault.said, fault.fault, options)
    case 'malformed':
      if (!options.stream) return planBegun(fault.said, 'close', options)
      return send([...begun(fault.said, options), options.wire.malformed], 'close', options)
    case 'html': {
      const page = '<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>'
      return { end: 'close', status: 200, contentType: 'text/html; charset=utf-8', packets: [encode(page)] }
    }
    case 'empty':
      return send([], 'close', options)
    case 'no-done':
      // A body has no event for its end: nothing is missing.
      return options.stream
        ? send(whole(fault.said, options).slice(0, -1), 'close', options)
        : planWhole(fault.said, options)
    case 'split-utf8': {
      const plan = planWhole(fault.said, options)
      return plan.end === 'reset' ? plan : { ...plan, packets: cutInsideCharacters(Buffer.concat(plan.packets)) }
    }
  }
}

/** A complete answer. Without a stream, an answer that ends with an error is an HTTP error. */
function planWhole(said: Said, options: PlanOptions): Plan {
  const { wire, call, stream } = options
  if (stream) return send(whole(said, options), 'close', options)
  const chunks = wholeChunks(said, options)
  const failure = failureOf(gatherAnswer(chunks).finish)
  if (failure) return planError(wire, 500, failure.message)
  return send([JSON.stringify(wire.body(chunks, call))], 'close', options)
}

/** The beginning of an answer. Without a stream, it is the first half of the body. */
function planBegun(said: Said | undefined, end: 'close' | 'cut' | 'stall', options: PlanOptions): Plan {
  if (options.stream) return send(begun(said, options), end, options)
  const body = JSON.stringify(options.wire.body(begunChunks(said, options), options.call))
  return send([body.slice(0, body.length / 2)], end, options)
}

/** The events of a complete answer. */
function whole(said: Said, options: PlanOptions): string[] {
  const { wire, call } = options
  return [...wire.events(wholeChunks(said, options), call), ...wire.end]
}

/** The events of an incomplete answer. */
function begun(said: Said | undefined, options: PlanOptions): string[] {
  return options.wire.events(begunChunks(said, options), options.call)
}

function wholeChunks(said: Said, { random }: PlanOptions): StreamChunk[] {
  return typeof said === 'string' ? textAnswer(said, random) : said
}

function begunChunks(said: Said | undefined, { random }: PlanOptions): StreamChunk[] {
  return typeof said === 'string' ? textDeltas(said, random) : (said ?? [])
}

function send(texts: string[], end: 'close' | 'cut' | 'stall', { packetBytes, random, stream }: PlanOptions): Plan {
  const packets = packetBytes
    ? cutAtRandom(encode(texts.join('')), packetBytes, random)
    : texts.map((text) => encode(text))
  return { end, status: 200, contentType: stream ? 'text/event-stream; charset=utf-8' : 'application/json', packets }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
