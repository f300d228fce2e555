import type { Llm } from '@acp-snapshot/llm'
import { type ContentBlock, deriveMessages, type TurnEndReason } from '@acp-snapshot/session'
import type { Tools } from '@acp-snapshot/tools'
import type { AgentSession } from './agent-session.ts'
import { type LiveHeader, logHeader } from './request-header.ts'
import { callModel, type Place, refuseTools, runTools, toolCalls } from './step.ts'

/** What a turn needs from the agent. */
interface TurnOptions {
  llm: Llm
  tools: Tools
  header: LiveHeader
  maxSteps: number
  signal: AbortSignal
}

/** Why a turn was aborted: its signal's reason. */
export type AbortReason = { kind: 'aborted'; reason: string } | { kind: 'disposed' }

/**
 * Runs one turn: the user's message, then steps until the model requests no more tools.
 * However the turn ends, the log is balanced: each `start` has an `end`.
 *
 * @returns the reason in `turn/end`
 */
export async function runTurn(
  session: AgentSession,
  content: ContentBlock[],
  options: TurnOptions,
): Promise<TurnEndReason> {
  const turn = (session.log.last('turn/start')?.data.turn ?? 0) + 1
  const source = { kind: 'user' }
  session.append('turn/start', { turn, trigger: { kind: 'message', source } })
  session.append('user/message', { content, source })
  const reason = await runSteps(session, turn, options)
  session.append('turn/end', { turn, reason })
  await session.flush()
  return reason
}

async function runSteps(session: AgentSession, turn: number, options: TurnOptions): Promise<TurnEndReason> {
  for (let step = 1; step <= options.maxSteps; step++) {
    const at = { turn, step }
    session.append('step/start', at)
    const end = await runStep(session, at, options)
    session.append('step/end', at)
    if (end) return end
  }
  const message = `the turn took ${options.maxSteps} steps and did not end`
  return { kind: 'error', step: options.maxSteps, message, code: 'MAX_STEPS' }
}

/** One model call and its tool calls. Returns the reason when the turn ends here, or `undefined` to continue. */
async function runStep(session: AgentSession, at: Place, options: TurnOptions): Promise<TurnEndReason | undefined> {
  const { llm, tools, header, signal } = options
  if (signal.aborted) return signal.reason as AbortReason
  logHeader(session, header)
  const outcome = await callModel(session, llm, {
    sessionId: session.id,
    ...at,
    model: header.config.model,
    system: header.system,
    tools: header.tools,
    messages: deriveMessages(session.log.events),
    signal,
  })
  if (outcome.kind === 'failed') {
    if (signal.aborted) return signal.reason as AbortReason
    if (outcome.code === 'ABORTED') return { kind: 'aborted', reason: outcome.message }
    return { kind: 'error', step: at.step, message: outcome.message, code: outcome.code }
  }
  const calls = toolCalls(outcome.content)
  if (outcome.finish.kind === 'max-tokens') {
    refuseTools(session, at, calls, 'was cut at the token limit', { name: 'Truncated', code: 'MAX_TOKENS' })
    return { kind: 'max-tokens' }
  }
  if (outcome.finish.kind === 'refusal') {
    refuseTools(session, at, calls, 'was refused', { name: 'Refused', code: 'REFUSAL' })
    return { kind: 'rejected', reason: outcome.finish.message ?? 'the model refused to answer' }
  }
  if (calls.length === 0) return { kind: 'completed' }
  await runTools(session, tools, at, calls, signal)
  return signal.aborted ? (signal.reason as AbortReason) : undefined
}
