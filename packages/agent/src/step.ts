import { Assembler, type Llm, LlmError, type LlmRequest } from '@acp-snapshot/llm'
import type { ContentBlock, FinishReason } from '@acp-snapshot/session'
import type { Tools } from '@acp-snapshot/tools'
import { abortable } from './abortable.ts'
import type { AgentSession } from './agent-session.ts'

/** The position of a step in its session. */
export interface Place {
  turn: number
  step: number
}

/** How a model call ended. `failed` covers a stream that throws and a stream that finishes with an error. */
type CallOutcome =
  | { kind: 'answered'; finish: FinishReason; content: ContentBlock[] }
  | { kind: 'failed'; code: string; message: string }

type ToolCallBlock = Extract<ContentBlock, { type: 'tool-call' }>

/** Runs one model call. Logs each chunk as it arrives, and the whole message at the end. */
export async function callModel(session: AgentSession, llm: Llm, request: LlmRequest): Promise<CallOutcome> {
  const at = { turn: request.turn, step: request.step }
  const assembler = new Assembler()
  const seqs: number[] = []
  try {
    for await (const chunk of abortable(llm.stream(request), request.signal)) {
      request.signal.throwIfAborted()
      assembler.add(chunk)
      seqs.push(session.append('assistant/chunk', { ...at, chunk }).seq)
    }
  } catch (error) {
    return failure(error)
  }
  const { content, usage, finish } = assembler.answer
  if (!finish) throw new LlmError('INCOMPLETE', "the model's stream ended before it finished")
  if (finish.kind === 'error' || finish.kind === 'aborted') {
    const code = finish.code ?? (finish.kind === 'aborted' ? 'ABORTED' : 'PROVIDER')
    return { kind: 'failed', code, message: finish.message ?? `the model's stream ended with ${finish.kind}` }
  }
  session.append('assistant/message', { ...at, content, ...(usage && { usage }) }, seqs)
  return { kind: 'answered', finish, content }
}

function failure(error: unknown): CallOutcome {
  if (error instanceof LlmError) return { kind: 'failed', code: error.code, message: error.message }
  const message = error instanceof Error ? error.message : String(error)
  return { kind: 'failed', code: 'INTERNAL', message }
}

/** The tool calls in an answer. */
export function toolCalls(content: readonly ContentBlock[]): ToolCallBlock[] {
  return content.filter((block) => block.type === 'tool-call')
}

/**
 * Runs the calls of one step in the order in which the model requested them, so that the log is deterministic.
 * Each call gets a result, even when the turn is aborted: models reject a history with an unanswered call.
 */
export async function runTools(
  session: AgentSession,
  tools: Tools,
  at: Place,
  calls: readonly ToolCallBlock[],
  signal: AbortSignal,
): Promise<void> {
  for (const { id: callId, name, arguments: args } of calls) {
    const { seq } = session.append('tool/call', { ...at, callId, name, arguments: args })
    const context = { cwd: session.cwd, sessionId: session.id, signal }
    const outcome = await tools.execute({ callId, name, arguments: args }, context)
    session.append('tool/result', { ...at, callId, ...outcome }, [seq])
  }
}

/** Logs an error result for each call of an answer that was cut or refused. None of them is run. */
export function refuseTools(
  session: AgentSession,
  at: Place,
  calls: readonly ToolCallBlock[],
  happened: string,
  error: { name: string; code: string },
): void {
  for (const { id: callId, name, arguments: args } of calls) {
    const { seq } = session.append('tool/call', { ...at, callId, name, arguments: args })
    const text = `not run: the answer that asks for this call ${happened}`
    session.append('tool/result', { ...at, callId, content: [{ type: 'text', text }], isError: true, error }, [seq])
  }
}
