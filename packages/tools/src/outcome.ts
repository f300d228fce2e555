import type { ToolOutcome } from './call.ts'

/** An error outcome. `code` is one word for a program, `text` is what the model reads. */
export function failure(code: string, text: string, name = 'ToolError'): ToolOutcome {
  return { content: [{ type: 'text', text }], isError: true, error: { name, code } }
}
