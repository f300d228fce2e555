import { type EventData, type EventType, type SessionEvent, SessionLog, type StreamChunk } from '@acp-snapshot/session'
import fc from 'fast-check'

/** A whole model answer: text blocks, then usage, then finish. */
export const answer: fc.Arbitrary<StreamChunk[]> = fc
  .tuple(fc.array(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 4 }), { maxLength: 3 }), fc.nat())
  .map(([blocks, tokens]) => [
    ...blocks.flatMap((deltas, index): StreamChunk[] => [
      { type: 'block-start', index, blockType: 'text' },
      ...deltas.map((text) => ({ type: 'text-delta' as const, index, text })),
      { type: 'block-end', index, block: { type: 'text', text: deltas.join('') } },
    ]),
    { type: 'usage', usage: { inputTokens: tokens, outputTokens: tokens } },
    { type: 'finish', reason: { kind: 'stop' } },
  ])

/** A log of turns with one step each, and its answers. */
export const log = fc
  .array(fc.tuple(fc.string({ unit: 'grapheme' }), answer), { maxLength: 4 })
  .map((turns) => ({ log: logOf(turns), answers: turns.map(([, chunks]) => chunks) }))

function logOf(turns: [string, StreamChunk[]][]): SessionLog {
  const log = emptyLog()
  for (const [i, [text, chunks]] of turns.entries()) {
    const at = { turn: i + 1, step: 1 }
    log.append('turn/start', { turn: at.turn, trigger: { kind: 'message', source: { kind: 'user' } } })
    log.append('user/message', { content: [{ type: 'text', text }], source: { kind: 'user' } })
    log.append('step/start', at)
    const seqs = chunks.map((chunk) => log.append('assistant/chunk', { ...at, chunk }).seq)
    const content = chunks.flatMap((chunk) => (chunk.type === 'block-end' ? [chunk.block] : []))
    log.append('assistant/message', { ...at, content }, { sourceEventSeqs: seqs })
    log.append('step/end', at)
    log.append('turn/end', { turn: at.turn, reason: { kind: 'completed' } })
  }
  return log
}

export function emptyLog(): SessionLog {
  const header = { type: 'session', version: 0, id: 'a-session', createdAt: 0, cwd: '/work' } as const
  return new SessionLog(header, [], () => 0)
}

/** A log with the given events. */
export function logWith(events: { [T in EventType]: [T, EventData[T]] }[EventType][]): SessionLog {
  const log = emptyLog()
  for (const [type, data] of events) log.append(type, data)
  return log
}

/** The event types, for readable assertions. */
export const types = (events: readonly SessionEvent[]) => events.map((event) => event.type)
