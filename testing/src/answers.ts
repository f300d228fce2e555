import type { FinishReason, OverrideEntry, StreamChunk } from '@acp-snapshot/session'

/** A replay entry: a complete answer with this text. */
export function says(text: string, finish: FinishReason = { kind: 'stop' }): OverrideEntry {
  return { kind: 'chunks', chunks: [...textBlock(0, text), ...end(finish)] }
}

/** A replay entry: a complete answer that calls bash once for each command, with the ids `call_1`, `call_2` … */
export function runs(commands: string[], finish: FinishReason = { kind: 'tool-calls' }): OverrideEntry {
  return calls(
    commands.map((command) => JSON.stringify({ command, description: 'a command' })),
    finish,
  )
}

/** A replay entry: a complete answer that calls bash once for each raw text of arguments. */
export function calls(args: string[], finish: FinishReason = { kind: 'tool-calls' }): OverrideEntry {
  return { kind: 'chunks', chunks: [...args.flatMap((args, index) => callBlock(index, args)), ...end(finish)] }
}

/** The start of an answer: a text block that does not end. */
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
