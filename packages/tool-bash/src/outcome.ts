import type { ShellResult } from '@acp-snapshot/shell'
import type { ToolOutcome } from '@acp-snapshot/tools'

/**
 * The result of a command, as the model reads it. A non-zero exit code is not an error: `grep` exits with 1 when it finds
 * nothing. A time-out and an abort are errors, because they stop the command.
 */
export function toOutcome(result: ShellResult): ToolOutcome {
  const content: ToolOutcome['content'] = [{ type: 'text', text: resultText(result) }]
  const code = errorCode(result)
  return code ? { content, isError: true, error: { name: 'ToolError', code } } : { content, isError: false }
}

function errorCode({ timedOut, aborted }: ShellResult): string | undefined {
  if (timedOut) return 'TIMEOUT'
  if (aborted) return 'ABORTED'
  return undefined
}

/** The output, unchanged, then one line for each fact that the output does not show. */
function resultText(result: ShellResult): string {
  const text = result.output || '(no output)'
  const notes = [cutNote(result), endNote(result)].filter((note) => note !== undefined)
  if (notes.length === 0) return text
  return [text.endsWith('\n') ? text.slice(0, -1) : text, ...notes].join('\n')
}

function cutNote({ truncated, output, outputBytes }: ShellResult): string | undefined {
  if (!truncated) return undefined
  return `[output cut: these are the first ${Buffer.byteLength(output)} of ${outputBytes} bytes]`
}

function endNote({ timedOut, timeoutMs, aborted, signal, exitCode }: ShellResult): string | undefined {
  if (timedOut) return `[timed out after ${timeoutMs} ms]`
  if (aborted) return '[aborted]'
  if (signal !== null) return `[killed by ${signal}]`
  return exitCode === 0 ? undefined : `[exit code: ${exitCode}]`
}
