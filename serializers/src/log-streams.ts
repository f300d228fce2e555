import { type Json, valueAt } from './json.ts'
import { type Piece, textAt } from './streams.ts'

/** The keys of a chunk that hold a piece of a block, by the chunk's type. */
const DELTAS: ReadonlyMap<string, string> = new Map([
  ['text-delta', 'text'],
  ['reasoning-delta', 'text'],
  ['tool-call-delta', 'argumentsDelta'],
])

/** The pieces of the blocks in a log: the deltas of one index, in one step of one turn. */
export function blockPieces(events: readonly Json[]): Piece[] {
  return events.flatMap((event, line) => {
    if (textAt(event, ['type']) !== 'assistant/chunk') return []
    const type = textAt(event, ['data', 'chunk', 'type'])
    const key = type === undefined ? undefined : DELTAS.get(type)
    if (key === undefined) return []
    const data = valueAt(event, 'data')
    const chunk = data && valueAt(data, 'chunk')
    const place = [data && valueAt(data, 'turn'), data && valueAt(data, 'step'), chunk && valueAt(chunk, 'index')]
    const stream = [type, ...place.map((json) => (json?.kind === 'literal' ? json.raw : ''))].join(' ')
    return [{ line, path: ['data', 'chunk', key], stream }]
  })
}
