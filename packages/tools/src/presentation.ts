import type { ToolCall, ToolOutcome } from './call.ts'
import { readJson } from './parse-arguments.ts'

/** The part of ACP's `ToolCallContent` that our tools use. */
export type PresentedContent =
  | { type: 'content'; content: { type: 'text'; text: string } }
  | { type: 'diff'; path: string; oldText: string | null; newText: string }

/** How an editor shows a call: the fields of ACP's `tool_call` update. `line` counts from 1. */
export interface CallPresentation {
  title: string
  kind: 'read' | 'edit' | 'delete' | 'move' | 'search' | 'execute' | 'think' | 'fetch' | 'other'
  rawInput?: unknown
  content?: PresentedContent[]
  locations?: { path: string; line?: number }[]
}

/** How an editor shows an outcome: the fields of ACP's `tool_call_update`. `title` replaces the call's title. */
export interface ResultPresentation {
  content: PresentedContent[]
  title?: string
}

/** Presents a call of an unknown tool, of a tool without a presentation, or with invalid arguments. */
export function genericCall(call: ToolCall): CallPresentation {
  const json = readJson(call.arguments)
  return { title: call.name, kind: 'other', rawInput: json.ok ? json.value : call.arguments }
}

/** Presents the text of an outcome, unchanged. It drops blocks that are not text: ACP has no form for them. */
export function plainResult(outcome: ToolOutcome): ResultPresentation {
  return {
    content: outcome.content.flatMap((block) =>
      block.type === 'text' ? [{ type: 'content', content: { type: 'text', text: block.text } }] : [],
    ),
  }
}
