import type { AgentSession } from '@acp-snapshot/agent'
import type { LlmRequest } from '@acp-snapshot/llm'
import { requestProblem } from '@acp-snapshot/llm/check-request'
import { describeDifference, replayDifference, type StreamChunk } from '@acp-snapshot/session'
import type { Context } from 'cordis'
import { EventContract, InvariantError } from './contract.ts'

export const name = 'invariants'

/**
 * Checks each session while the agent runs. A violation fails the turn: an event out of order, a model call that does
 * not match the log, or a log that derives a different history when it is read back.
 */
export function apply(ctx: Context): void {
  const contracts = new Map<string, EventContract>()
  const sessions = new Map<string, AgentSession>()
  ctx.on('session/opened', (session) => {
    const contract = new EventContract(session.id)
    for (const event of session.log.events) contract.check(event)
    contracts.set(session.id, contract)
    sessions.set(session.id, session)
  })
  ctx.on('session/event', ({ id, log }, event) => {
    contracts.get(id)?.check(event)
    if (event.type === 'turn/end') checkReplay(id, log)
  })
  // Must run before the adapter, which does not call the listeners after it.
  const first = { prepend: true }
  ctx.on('llm/stream', (request, next) => checkedStream(request, sessions.get(request.sessionId), next()), first)
}

/** Fails on the first chunk, not before the call: in a replay, `llm-replay` must see the wrong request to report it. */
async function* checkedStream(
  request: LlmRequest,
  session: AgentSession | undefined,
  stream: AsyncIterable<StreamChunk>,
): AsyncGenerator<StreamChunk> {
  const problem = session && requestProblem(request, session.log.events)
  const { sessionId, turn, step } = request
  for await (const chunk of stream) {
    if (problem !== undefined) {
      throw new InvariantError(
        `session ${sessionId}: turn ${turn} step ${step} sends what its log does not say: ${problem}`,
      )
    }
    yield chunk
  }
}

function checkReplay(id: string, { header, events }: AgentSession['log']): void {
  const field = replayDifference({ header, events: [...events] })
  if (!field) return
  throw new InvariantError(
    `session ${id}: its log derives a different history when it is read back: ${describeDifference(field)}`,
  )
}
