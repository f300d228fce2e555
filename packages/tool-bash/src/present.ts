import type { CallPresentation, PresentedContent, ResultPresentation, ToolOutcome } from '@acp-snapshot/tools'

/** Presents a command as a terminal entry: the command is the title, and its description is the content. */
export function presentCommand({ command, description }: { command: string; description: string }): CallPresentation {
  return { title: command, kind: 'execute', rawInput: command, content: [text(description)] }
}

/** Presents the output of a command as a Markdown code block. */
export function presentOutput(outcome: ToolOutcome): ResultPresentation {
  const output = outcome.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
  const fence = fenceFor(output)
  return { content: [text(`${fence}console\n${output.replace(/\n$/, '')}\n${fence}`)] }
}

/** A fence that is longer than any run of backticks in the output, so that the output cannot close its own block. */
function fenceFor(output: string): string {
  const runs = output.match(/`{3,}/g) ?? []
  return '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)))
}

function text(value: string): PresentedContent {
  return { type: 'content', content: { type: 'text', text: value } }
}
