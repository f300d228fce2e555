import { routeRequest } from '@acp-snapshot/model-wire'
import type { StreamChunk } from '@acp-snapshot/session'

/** One POST, routed. */
export function post(path: string, body: unknown = {}) {
  return routeRequest({ method: 'POST', path, headers: {}, body })
}

export const CALL = { model: 'm', answerId: '7' }

/** A bounded number of runs keeps the file fast on a busy machine. */
export const RUNS = { numRuns: 25 }

/** Reasoning, a text and a tool call, with all counts. */
export const TURN: StreamChunk[] = [
  { type: 'reasoning-delta', index: 0, text: 'Hm' },
  { type: 'text-delta', index: 1, text: 'He' },
  { type: 'text-delta', index: 1, text: 'llo' },
  { type: 'tool-call-delta', index: 2, id: 'call_a', name: 'bash', argumentsDelta: '{"a"' },
  { type: 'tool-call-delta', index: 2, id: 'call_a', argumentsDelta: ':1}' },
  {
    type: 'usage',
    usage: { inputTokens: 3, outputTokens: 4, cacheReadTokens: 5, cacheWriteTokens: 2, reasoningTokens: 1 },
  },
  { type: 'finish', reason: { kind: 'tool-calls' } },
]

export const FAILED: StreamChunk[] = [
  { type: 'text-delta', index: 0, text: 'so far' },
  { type: 'finish', reason: { kind: 'error', message: 'busy' } },
]

/** The data of printed events. An event name must be the `type` of its data. */
export function parseEvents(events: readonly string[]): Json[] {
  return events.map((event) => {
    const [, name, data = ''] = /^(?:event: (.*)\n)?data: (.*)\n\n$/.exec(event) ?? []
    const value = JSON.parse(data)
    if (name !== undefined) expect(value.type).toBe(name)
    return value
  })
}

/** What `JSON.parse` returns: tests look into it without checking each step. */
export type Json = ReturnType<typeof JSON.parse>
