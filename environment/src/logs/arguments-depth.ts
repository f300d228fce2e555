import { parseJsonText } from '@acp-snapshot/json-text'
import { type ContentBlock, isEvent, type ParsedLog, type ReplayEntry, type StreamChunk } from '@acp-snapshot/session'

/**
 * The tool calls of a log whose arguments are nested too deeply: agent and editor would read them recursively.
 * Arguments that are not JSON are allowed, because models do send them.
 */
export function argumentsProblems({ events }: ParsedLog): { problem: string; line: number }[] {
  return events.flatMap((event) => {
    const problem = argumentsOf(event).map(depthProblem).find(isProblem)
    return problem === undefined ? [] : [{ problem, line: event.seq + 2 }]
  })
}

/** The same for the entries of an override, call by call. */
export function entryArgumentsProblems(entries: readonly ReplayEntry[]): string[] {
  return entries
    .flatMap(({ chunks = [] }) => chunks)
    .flatMap(chunkArguments)
    .map(depthProblem)
    .filter(isProblem)
}

function isProblem(problem: string | undefined): problem is string {
  return problem !== undefined
}

function argumentsOf(event: ParsedLog['events'][number]): string[] {
  if (isEvent(event, 'tool/call')) return [event.data.arguments]
  if (isEvent(event, 'assistant/chunk')) return chunkArguments(event.data.chunk)
  return isEvent(event, 'assistant/message') ? event.data.content.flatMap(blockArguments) : []
}

function chunkArguments(chunk: StreamChunk): string[] {
  return chunk.type === 'block-end' ? blockArguments(chunk.block) : []
}

function blockArguments(block: ContentBlock): string[] {
  return block.type === 'tool-call' ? [block.arguments] : []
}

function depthProblem(text: string): string | undefined {
  const read = parseJsonText(text)
  return 'problem' in read && read.kind === 'too deep' ? `the arguments of a tool call are ${read.problem}` : undefined
}
