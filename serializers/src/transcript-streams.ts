import { type Json, valueAt } from './json.ts'
import { type Piece, textAt } from './streamed-text.ts'

/** The updates of ACP that stream a message. */
export const CHUNK_KINDS: ReadonlySet<string> = new Set([
  'agent_message_chunk',
  'agent_thought_chunk',
  'user_message_chunk',
])
/** The place of their text. */
export const CHUNK_TEXT: readonly string[] = ['params', 'update', 'content', 'text']

/**
 * The pieces of the messages in a transcript. Successive chunks of a session with the same kind and `messageId` are one
 * message, until another update of the session, or a response.
 */
export function messagePieces(frames: readonly Json[]): Piece[] {
  const pieces: Piece[] = []
  const open = new Map<string, { message: string; stream: number }>()
  for (const [line, frame] of frames.entries()) {
    if (!valueAt(frame, 'method')) open.clear()
    const session = textAt(frame, ['params', 'sessionId'])
    const kind = textAt(frame, ['params', 'update', 'sessionUpdate'])
    if (session === undefined || kind === undefined) continue
    const text = CHUNK_KINDS.has(kind) ? textAt(frame, CHUNK_TEXT) : undefined
    if (text === undefined) {
      open.delete(session)
      continue
    }
    const message = `${kind} ${textAt(frame, ['params', 'update', 'messageId']) ?? ''}`
    const last = open.get(session)
    const stream = last?.message === message ? last.stream : line
    open.set(session, { message, stream })
    pieces.push({ line, path: CHUNK_TEXT, text, stream })
  }
  return pieces
}
