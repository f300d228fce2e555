import { type Json, valueAt } from './json.ts'
import { type Piece, textAt } from './streamed-text.ts'

/** The path of a chunk's text, by the chunk's type. */
const DELTAS: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ['text-delta', 'text'],
    ['reasoning-delta', 'text'],
    ['tool-call-delta', 'argumentsDelta'],
  ].map(([type = '', key = '']) => [type, ['data', 'chunk', key]]),
)

/**
 * Collects the pieces of each block in a log, event by event. Deltas belong to one block if they have the same type,
 * index and call, in the same step and turn, between the block's start and end.
 */
export class BlockPieces {
  readonly pieces: Piece[] = []
  /** The open block of a turn, step and index, and the line in which it began. */
  readonly #open = new Map<string, { block: string; stream: number }>()

  add(event: Json, line: number): void {
    if (textAt(event, ['type']) !== 'assistant/chunk') return
    const data = valueAt(event, 'data')
    const chunk = data && valueAt(data, 'chunk')
    const type = textAt(chunk, ['type'])
    if (!data || !chunk || type === undefined) return
    const place = [valueAt(data, 'turn'), valueAt(data, 'step'), valueAt(chunk, 'index')]
    const at = place.map((json) => (json?.kind === 'literal' ? json.raw : '')).join(' ')
    const path = DELTAS.get(type)
    if (!path) {
      if (type === 'block-start' || type === 'block-end') this.#open.delete(at)
      return
    }
    const text = textAt(event, path)
    if (text === undefined) return
    const block = `${type} ${textAt(chunk, ['id']) ?? ''}`
    const last = this.#open.get(at)
    const stream = last?.block === block ? last.stream : line
    if (stream === line) this.#open.set(at, { block, stream })
    this.pieces.push({ line, path, text, stream })
  }
}
