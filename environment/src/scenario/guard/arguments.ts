import {
  type ContentBlock,
  isEvent,
  type ParsedLog,
  parseJsonText,
  type ReplayEntry,
  type StreamChunk,
} from '@acp-snapshot/session'
import { OVERRIDE } from '../files.ts'
import type { Report } from './report.ts'

/**
 * Checks that no tool call has arguments that are nested too deeply: agent and editor would read them, level by level.
 * Arguments that are not JSON are left alone: a model does send such, and a scenario may show it.
 *
 * @param override what the override serves, when the scenario has one
 */
export function checkArguments(
  logs: ReadonlyMap<string, ParsedLog>,
  override: readonly (readonly ReplayEntry[])[],
  report: Report,
): void {
  for (const [path, log] of logs) {
    for (const event of log.events) {
      const problem = argumentsOf(event)
        .map(depthProblem)
        .find((found) => found !== undefined)
      if (problem !== undefined) report(path, problem, event.seq + 2)
    }
  }
  for (const chunk of override.flat().flatMap(({ chunks = [] }) => chunks)) {
    const problem = chunkArguments(chunk).map(depthProblem)[0]
    if (problem !== undefined) report(OVERRIDE, problem)
  }
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
