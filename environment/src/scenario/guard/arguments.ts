import { isEvent, type ParsedLog, parseJsonText, type ReplayEntry, type StreamChunk } from '@acp-snapshot/session'
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
      const text = isEvent(event, 'tool/call') ? event.data.arguments : chunkArguments(event)
      const problem = text === undefined ? undefined : depthProblem(text)
      if (problem !== undefined) report(path, problem, event.seq + 2)
    }
  }
  for (const chunk of override.flat().flatMap(({ chunks = [] }) => chunks)) {
    const problem = depthProblem(argumentsOf(chunk) ?? '')
    if (problem !== undefined) report(OVERRIDE, problem)
  }
}

function chunkArguments(event: ParsedLog['events'][number]): string | undefined {
  return isEvent(event, 'assistant/chunk') ? argumentsOf(event.data.chunk) : undefined
}

function argumentsOf(chunk: StreamChunk): string | undefined {
  return chunk.type === 'block-end' && chunk.block.type === 'tool-call' ? chunk.block.arguments : undefined
}

function depthProblem(text: string): string | undefined {
  const read = parseJsonText(text)
  return 'problem' in read && read.kind === 'too deep' ? `the arguments of a tool call are ${read.problem}` : undefined
}
