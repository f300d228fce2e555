import type { ContentBlock, FinishReason, StreamChunk, Usage } from '@acp-snapshot/session'

/** An answer, block by block. Providers that mark blocks send one after the other. */
export interface Answer {
  blocks: AnswerBlock[]
  /** The last block of a beginning, if its end is missing. */
  open: AnswerBlock | undefined
  usage: Usage | undefined
  /** `undefined` for the beginning of an answer. */
  finish: FinishReason | undefined
}

/** A block with the pieces of its text, or of its arguments. */
export type AnswerBlock =
  | { type: 'text' | 'reasoning'; deltas: string[] }
  | { type: 'tool-call'; id: string; name: string; deltas: string[] }

/** Groups chunks by block, in the order in which the blocks begin. A tool call begins with its first delta. */
export function gatherAnswer(chunks: readonly StreamChunk[]): Answer {
  const blocks = new Map<number, AnswerBlock>()
  const ended = new Set<AnswerBlock>()
  let usage: Usage | undefined
  let finish: FinishReason | undefined
  for (const chunk of chunks) {
    switch (chunk.type) {
      case 'block-start':
        if (chunk.blockType !== 'tool-call') blocks.set(chunk.index, { type: chunk.blockType, deltas: [] })
        break
      case 'text-delta':
      case 'reasoning-delta': {
        const type = chunk.type === 'text-delta' ? 'text' : 'reasoning'
        const block = blocks.get(chunk.index) ?? { type, deltas: [] }
        blocks.set(chunk.index, block)
        block.deltas.push(chunk.text)
        break
      }
      case 'tool-call-delta': {
        const block = blocks.get(chunk.index) ?? { type: 'tool-call', id: chunk.id, name: chunk.name ?? '', deltas: [] }
        blocks.set(chunk.index, block)
        block.deltas.push(chunk.argumentsDelta)
        break
      }
      case 'block-end': {
        // A hand-written script may contain a block without deltas.
        const begun = blocks.get(chunk.index)
        const block = begun && begun.deltas.length > 0 ? begun : wholeBlock(chunk.block)
        if (!block) break
        blocks.set(chunk.index, block)
        ended.add(block)
        break
      }
      case 'usage':
        usage = chunk.usage
        break
      case 'finish':
        finish = chunk.reason
    }
  }
  const all = [...blocks.values()]
  const last = all.at(-1)
  return { blocks: all, open: finish || (last && ended.has(last)) ? undefined : last, usage, finish }
}

/** The blocks that can be sent as a whole: the arguments of an open tool call are incomplete. */
export function wholeBlocks({ blocks, open }: Answer): AnswerBlock[] {
  return blocks.filter((block) => block !== open || block.type !== 'tool-call')
}

/** The message of an answer that ends with an error. `undefined` for other answers. */
export function failureOf(finish: FinishReason | undefined): { message: string } | undefined {
  if (finish?.kind !== 'error' && finish?.kind !== 'aborted') return undefined
  return { message: finish.message ?? 'Server error' }
}

/**
 * The arguments of a tool call, for a wire that sends them as an object. No arguments are an empty object.
 *
 * @throws Error if they are not a JSON object
 */
export function parseArguments(text: string, name: string): object {
  const problem = `the arguments of ${name} are not a JSON object, which this wire cannot send: ${text}`
  let value: unknown
  try {
    value = JSON.parse(text === '' ? '{}' : text)
  } catch {
    throw new Error(problem)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(problem)
  return value
}

function wholeBlock(block: ContentBlock): AnswerBlock | undefined {
  switch (block.type) {
    case 'text':
    case 'reasoning':
      return { type: block.type, deltas: [block.text] }
    case 'tool-call':
      return { type: 'tool-call', id: block.id, name: block.name, deltas: [block.arguments] }
    case 'tool-result':
      return undefined
  }
}
