import type { FinishReason, StreamChunk } from './chunk.ts'
import type { ContentBlock } from './content-block.ts'

/** A fault in a model's answer: the index of the chunk that breaks a rule, and the problem. */
export interface AnswerFault {
  chunk: number
  problem: string
}

type Chunk<T extends StreamChunk['type']> = Extract<StreamChunk, { type: T }>
type Delta = Chunk<'text-delta' | 'reasoning-delta' | 'tool-call-delta'>

/** A block under construction. `deltas` is the text of all deltas so far; it is unset before the first one. */
interface OpenBlock {
  readonly type: Chunk<'block-start'>['blockType']
  deltas?: string
  id?: string
  name?: string
  ended: boolean
}

/**
 * Finds the first fault in a model's answer, or in the part of one that arrived before a failure. The rules: a block
 * starts before its deltas and ends after them; its deltas, if there are any, add up to the block in `block-end`; every
 * block has ended when the answer finishes, the finish reason fits the blocks, and no chunk follows the finish.
 *
 * @param extent a `prefix` may stop anywhere
 */
export function findAnswerFault(chunks: readonly StreamChunk[], extent: 'whole' | 'prefix'): AnswerFault | undefined {
  const blocks = new Map<number, OpenBlock>()
  let finished = false
  for (const [i, chunk] of chunks.entries()) {
    const found = finished ? { chunk: i, problem: 'a chunk follows the finish' } : faultOf(chunk, i, blocks)
    if (found) return found
    finished = chunk.type === 'finish'
  }
  if (finished || extent === 'prefix') return undefined
  return { chunk: Math.max(chunks.length - 1, 0), problem: UNFINISHED }
}

const UNFINISHED =
  "the model's answer never finishes, so it cannot be replayed as it is. " +
  'Record it again, or set "overridden": true and write replay.override.json'

function faultOf(chunk: StreamChunk, at: number, blocks: Map<number, OpenBlock>): AnswerFault | undefined {
  switch (chunk.type) {
    case 'usage':
      return undefined
    case 'finish':
      return finishFault(chunk.reason, at, blocks)
    case 'block-start': {
      if (blocks.has(chunk.index)) return { chunk: at, problem: `block ${chunk.index} starts twice` }
      blocks.set(chunk.index, { type: chunk.blockType, ended: false })
      return undefined
    }
    default: {
      const block = blocks.get(chunk.index)
      const problem = openProblem(chunk, block) ?? (block && growProblem(chunk, block))
      return problem === undefined ? undefined : { chunk: at, problem }
    }
  }
}

function openProblem({ type, index }: Delta | Chunk<'block-end'>, block: OpenBlock | undefined): string | undefined {
  if (!block) return `${type} of block ${index}, which has not started`
  return block.ended ? `${type} of block ${index}, which has ended` : undefined
}

/** Adds a delta to its block, or ends the block. Returns the problem, if there is one. */
function growProblem(chunk: Delta | Chunk<'block-end'>, block: OpenBlock): string | undefined {
  if (chunk.type === 'block-end') return endProblem(chunk.index, chunk.block, block)
  if (chunk.type !== `${block.type}-delta`)
    return `${chunk.type} in block ${chunk.index}, which started as ${block.type}`
  if (chunk.type === 'tool-call-delta') {
    const { index, id, name } = chunk
    if (block.id !== undefined && block.id !== id) return unequal('id', index, block.id, id)
    if (block.name !== undefined && name !== undefined && block.name !== name) {
      return unequal('name', index, block.name, name)
    }
    block.id = id
    if (name !== undefined) block.name = name
  }
  block.deltas = (block.deltas ?? '') + (chunk.type === 'tool-call-delta' ? chunk.argumentsDelta : chunk.text)
  return undefined
}

function endProblem(index: number, end: ContentBlock, block: OpenBlock): string | undefined {
  block.ended = true
  if (end.type === 'tool-result' || end.type !== block.type) {
    return `block ${index} started as ${block.type} and ends as ${end.type}`
  }
  if (end.type === 'tool-call') {
    if (block.id !== undefined && block.id !== end.id) return unequal('id', index, block.id, end.id)
    if (block.name !== undefined && block.name !== end.name) return unequal('name', index, block.name, end.name)
  }
  const [what, text] = end.type === 'tool-call' ? ['arguments', end.arguments] : ['text', end.text]
  return block.deltas === undefined || block.deltas === text ? undefined : unequal(what, index, block.deltas, text)
}

function finishFault(
  reason: FinishReason,
  at: number,
  blocks: ReadonlyMap<number, OpenBlock>,
): AnswerFault | undefined {
  // The provider gave up, so its blocks may be open.
  if (reason.kind === 'error' || reason.kind === 'aborted') return undefined
  for (const [index, { ended }] of blocks) {
    if (!ended) return { chunk: at, problem: `the answer finishes, but block ${index} has not ended` }
  }
  const calls = [...blocks.values()].some(({ type }) => type === 'tool-call')
  if (reason.kind === 'stop' && calls) {
    return { chunk: at, problem: 'the finish is "stop", but the answer holds a tool call: expected "tool-calls"' }
  }
  if (reason.kind === 'tool-calls' && !calls) {
    return { chunk: at, problem: 'the finish is "tool-calls", but the answer holds no tool call' }
  }
  return undefined
}

function unequal(what: string, index: number, before: string, now: string): string {
  const [expected, got] = differingParts(before, now)
  const verb = what === 'arguments' ? 'differ from their' : 'differs from its'
  return `the ${what} of block ${index} ${verb} earlier chunks: expected ${expected}, got ${got}`
}

/** Excerpts of both texts as JSON, around their first difference. */
function differingParts(expected: string, got: string): [string, string] {
  let same = 0
  while (same < expected.length && expected[same] === got[same]) same++
  const from = Math.max(0, same - 20)
  const part = (text: string) =>
    JSON.stringify(`${from > 0 ? '…' : ''}${text.slice(from, from + 60)}${text.length > from + 60 ? '…' : ''}`)
  return [part(expected), part(got)]
}
