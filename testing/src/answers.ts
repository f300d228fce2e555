import type { FinishReason, OverrideEntry, StreamChunk } from '@acp-snapshot/session'

/** A whole answer that says a text, for a replay. */
export function says(text: string, finish: FinishReason = { kind: 'stop' }): OverrideEntry {
  return { kind: 'chunks', chunks: [...textBlock(0, text), ...end(finish)] }
}

/** A whole answer that calls bash, once a command; the calls are `call_1`, `call_2` … */
export function runs(commands: string[], finish: FinishReason = { kind: 'tool-calls' }): OverrideEntry {
  return calls(
    commands.map((command) => JSON.stringify({ command, description: 'a command' })),
    finish,
  )
}

/** A whole answer that calls bash with these arguments, raw. */
export function calls(args: string[], finish: FinishReason = { kind: 'tool-calls' }): OverrideEntry {
  return { kind: 'chunks', chunks: [...args.flatMap((args, index) => callBlock(index, args)), ...end(finish)] }
}

/** The start of an answer: a text that goes on. */
export function begins(text: string): StreamChunk[] {
  return textBlock(0, text).slice(0, 2)
}

function textBlock(index: number, text: string): StreamChunk[] {
  return [
    { type: 'block-start', index, blockType: 'text' },
    { type: 'text-delta', index, text },
    { type: 'block-end', index, block: { type: 'text', text } },
  ]
}

function callBlock(index: number, args: string): StreamChunk[] {
  const id = `call_${index + 1}`
  return [
    { type: 'block-start', index, blockType: 'tool-call' },
    { type: 'tool-call-delta', index, id, name: 'bash', argumentsDelta: args },
    { type: 'block-end', index, block: { type: 'tool-call', id, name: 'bash', arguments: args } },
  ]
}

function end(reason: FinishReason): StreamChunk[] {
  return [
    { type: 'usage', usage: { inputTokens: 3, outputTokens: 2 } },
    { type: 'finish', reason },
  ]
}
