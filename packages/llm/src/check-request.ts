import { deriveMessages, describeDifference, differingField, isEvent, type SessionEvent } from '@acp-snapshot/session'
import type { LlmRequest } from './index.ts'

/**
 * Compares a model call with the session's log at this point: the history must equal the one that the log derives, and
 * model, parameters, system prompt and tools must equal those of the last request header.
 *
 * @returns the first differing field, as in `messages[2].content[0].text: expected "a", got "b"`; nothing when all fields are equal
 */
export function requestProblem(request: LlmRequest, events: readonly SessionEvent[]): string | undefined {
  const last = events.findLast((event) => isEvent(event, 'request/header'))
  if (!last || !isEvent(last, 'request/header')) return 'the log has no request/header before this call'
  const { config, system, tools } = last.data.header
  const { sessionId: _id, turn: _turn, step: _step, signal: _signal, ...told } = request
  const field = differingField({ ...config, system, tools, messages: deriveMessages(events) }, told)
  return field && describeDifference(field)
}
