import type { AgentSession } from '@acp-snapshot/agent'
import type { LlmRequest } from '@acp-snapshot/llm'
import { requestProblem } from '@acp-snapshot/llm/check-request'
import { describeDifference, replayDifference, type StreamChunk } from '@acp-snapshot/session'
import type { Context } from 'cordis'
import { EventContract, InvariantError } from './contract.ts'

export const name = 'invariants'

/**
 * Holds each session to its contract while the agent runs. What breaks it fails the turn: an event that is out of order,
 * a model call that does not send what the log says, a log that derives another history once it is read again.
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
  // Before the adapter, which does not call the listeners behind it.
  const first = { prepend: true }
  ctx.on('llm/stream', (request, next) => checkedStream(request, sessions.get(request.sessionId), next()), first)
}

/** A replay sees a wrong request first, so that it can report it beside stdout; no chunk of its answer is passed on. */
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
  throw new InvariantError(`session ${id}: its log, read again, derives another history: ${describeDifference(field)}`)
}
