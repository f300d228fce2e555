import type { ContentBlock } from './content-block.ts'
import { foreignMessageSchema, isEvent, type SessionEvent } from './event.ts'

/** One message of the history that is sent to the model. */
export interface Message {
  role: 'user' | 'assistant' | 'tool'
  content: readonly ContentBlock[]
}

/**
 * The history that the model sees, derived from the log alone: each event with `surfaceOp` is one message.
 * A tool result becomes a `tool` message with one `tool-result` block. Refused turns are left out.
 *
 * @see https://agentclientprotocol.com/protocol/prompt-turn#stop-reasons for refused turns
 */
export function deriveMessages(events: readonly SessionEvent[]): Message[] {
  const refused = refusedSeqs(events)
  return events.flatMap((event) => (event.surfaceOp === 'append' && !refused.has(event.seq) ? [toMessage(event)] : []))
}

function toMessage(event: SessionEvent): Message {
  if (isEvent(event, 'user/message')) return { role: 'user', content: event.data.content }
  if (isEvent(event, 'assistant/message')) return { role: 'assistant', content: event.data.content }
  if (isEvent(event, 'tool/result')) {
    const { callId, content, isError } = event.data
    return { role: 'tool', content: [{ type: 'tool-result', toolCallId: callId, content, isError }] }
  }
  const { role, content } = foreignMessageSchema.parse(event.data)
  return {
    role: role === 'assistant' || role === 'tool' ? role : 'user',
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  }
}

/** The seqs of the messages in turns that ended `rejected`. */
function refusedSeqs(events: readonly SessionEvent[]): ReadonlySet<number> {
  const refused = new Set<number>()
  let turn: number[] = []
  for (const event of events) {
    if (isEvent(event, 'turn/start')) turn = []
    if (event.surfaceOp === 'append') turn.push(event.seq)
    if (isEvent(event, 'turn/end') && event.data.reason.kind === 'rejected') for (const seq of turn) refused.add(seq)
  }
  return refused
}
