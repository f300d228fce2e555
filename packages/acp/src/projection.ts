import { type ContentBlock, type EventOf, isEvent, type SessionEvent } from '@acp-snapshot/session'
import type { Tools } from '@acp-snapshot/tools'
import type { SessionUpdate } from '@agentclientprotocol/sdk'

/**
 * The `session/update` for one session event, or `undefined`. `session/prompt` sends it live, and `session/load` sends it
 * for the history.
 *
 * @param events the session's log: how a result is presented depends on its call
 * @see ../../../docs/session-log.md for the mapping
 */
export function streamSessionEventUpdate(
  event: SessionEvent,
  events: readonly SessionEvent[],
  tools: Pick<Tools, 'presentCall' | 'presentResult'>,
): SessionUpdate | undefined {
  if (isEvent(event, 'assistant/chunk')) return chunkUpdate(event)
  if (isEvent(event, 'tool/call')) {
    const { callId: toolCallId } = event.data
    const call = tools.presentCall(event.data)
    return {
      sessionUpdate: 'tool_call',
      toolCallId,
      title: call.title,
      kind: call.kind,
      status: 'in_progress',
      ...shown(call),
    }
  }
  if (isEvent(event, 'tool/result')) return resultUpdate(event, events, tools)
  if (isEvent(event, 'todo/write')) {
    const entries = event.data.todos.map(({ content, status }) => ({ content, priority: 'medium' as const, status }))
    return { sessionUpdate: 'plan', entries }
  }
  return undefined
}

/** The updates that `session/load` sends for a user message, one per block. */
export function userMessageUpdates(event: SessionEvent): SessionUpdate[] {
  if (!isEvent(event, 'user/message')) return []
  return event.data.content.flatMap((block) =>
    block.type === 'text' ? [{ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: block.text } }] : [],
  )
}

function chunkUpdate({ data: { chunk } }: EventOf<'assistant/chunk'>): SessionUpdate | undefined {
  if (chunk.type === 'text-delta') {
    return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: chunk.text } }
  }
  if (chunk.type === 'reasoning-delta') {
    return { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: chunk.text } }
  }
  return undefined
}

function resultUpdate(
  event: EventOf<'tool/result'>,
  events: readonly SessionEvent[],
  tools: Pick<Tools, 'presentResult'>,
): SessionUpdate {
  const { callId: toolCallId, isError } = event.data
  const source = event.sourceEventSeqs?.[0]
  const call = source === undefined ? undefined : events[source]
  const result =
    call && isEvent(call, 'tool/call')
      ? tools.presentResult(call.data, event.data)
      : { content: asText(event.data.content) }
  return { sessionUpdate: 'tool_call_update', toolCallId, status: isError ? 'failed' : 'completed', ...result }
}

function asText(content: readonly ContentBlock[]) {
  return content.flatMap((block) =>
    block.type === 'text' ? [{ type: 'content' as const, content: { type: 'text' as const, text: block.text } }] : [],
  )
}

/** The optional fields of a tool call, without those that are undefined. */
function shown(call: ReturnType<Tools['presentCall']>) {
  return {
    ...(call.rawInput !== undefined && { rawInput: call.rawInput }),
    ...(call.locations && { locations: call.locations }),
    ...(call.content && { content: call.content }),
  }
}
