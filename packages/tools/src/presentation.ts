import { readJson } from './arguments.ts'
import type { ToolCall, ToolOutcome } from './call.ts'

/** ACP's `ToolCallContent`, as far as tools here use it. */
export type PresentedContent =
  | { type: 'content'; content: { type: 'text'; text: string } }
  | { type: 'diff'; path: string; oldText: string | null; newText: string }

/** How a call is shown in an editor: the fields of ACP's `tool_call` update. `line` counts from 1. */
export interface CallPresentation {
  title: string
  kind: 'read' | 'edit' | 'delete' | 'move' | 'search' | 'execute' | 'think' | 'fetch' | 'other'
  rawInput?: unknown
  content?: PresentedContent[]
  locations?: { path: string; line?: number }[]
}

/** How an outcome is shown: the fields of ACP's `tool_call_update`. `title` replaces the call's title. */
export interface ResultPresentation {
  content: PresentedContent[]
  title?: string
}

/** Shows a call that has no presentation of its own: an unknown tool, or arguments that the tool cannot read. */
export function genericCall(call: ToolCall): CallPresentation {
  const json = readJson(call.arguments)
  return { title: call.name, kind: 'other', rawInput: json.ok ? json.value : call.arguments }
}

/** Shows the text of an outcome as it is. Blocks that are not text are left out: an editor has no form for them. */
export function plainResult(outcome: ToolOutcome): ResultPresentation {
  return {
    content: outcome.content.flatMap((block) =>
      block.type === 'text' ? [{ type: 'content', content: { type: 'text', text: block.text } }] : [],
    ),
  }
}
