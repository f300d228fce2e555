import type { ContentBlock } from './content.ts'
import { isEvent, type SessionEvent } from './event.ts'

/** One message of the history, in the order in which the model is shown it. */
export interface Message {
  role: 'user' | 'assistant' | 'tool'
  content: readonly ContentBlock[]
}

/**
 * The history that the model sees, derived from the log alone: each surface event is one message.
 * A tool result becomes a `tool` message with one `tool-result` block.
 */
export function deriveMessages(events: readonly SessionEvent[]): Message[] {
  return events.filter((event) => event.surfaceOp === 'append').flatMap(toMessage)
}

function toMessage(event: SessionEvent): Message[] {
  if (isEvent(event, 'user/message')) return [{ role: 'user', content: event.data.content }]
  if (isEvent(event, 'assistant/message')) return [{ role: 'assistant', content: event.data.content }]
  if (isEvent(event, 'tool/result')) {
    const { callId, content, isError } = event.data
    return [{ role: 'tool', content: [{ type: 'tool-result', toolCallId: callId, content, isError }] }]
  }
  return []
}
