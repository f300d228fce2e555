import { joined, type Reading } from './reading.ts'

/** Fields that identify a stream and are not part of its text. */
const STREAM_FIELDS: ReadonlySet<string> = new Set('type sessionUpdate index sessionId toolCallId turn step'.split(' '))

interface Piece {
  text: string
  at: number
}

/**
 * Joins the streams of a file: strings at the same place in its JSON values (the deltas of a block in a log or an
 * override, the updates of a golden), in order. Each stream ends with a line feed. `undefined` when there are none.
 */
export function streamsOf(text: string): Reading | undefined {
  const streams = new Map<string, Piece[]>()
  const whole = parse(text)
  if (whole !== undefined) collect(whole, placesIn(text), streams)
  else collectLines(text, streams)
  const inPieces = [...streams.values()].filter((pieces) => pieces.length > 1)
  return inPieces.length > 0 ? joined(inPieces.flatMap(endedByLine)) : undefined
}

function endedByLine(pieces: readonly Piece[]): Piece[] {
  return [...pieces, { text: '\n', at: pieces.at(-1)?.at ?? 0 }]
}

function collectLines(text: string, streams: Map<string, Piece[]>): void {
  let at = 0
  for (const line of text.split('\n')) {
    const place = at
    collect(parse(line), () => place, streams)
    at += line.length + 1
  }
}

/** Returns a function that finds each string of a JSON text, called in order. A differently escaped string ends the search. */
function placesIn(text: string): (piece: string) => number {
  let at = 0
  let isLost = false
  return (piece) => {
    const found = isLost ? -1 : text.indexOf(JSON.stringify(piece), at)
    if (found === -1) isLost = true
    else at = found
    return at
  }
}

/** Walks a value without recursion, because a fixture may be nested to any depth. */
function collect(value: unknown, place: (piece: string) => number, streams: Map<string, Piece[]>): void {
  const open: { value: unknown; key: string; name: string }[] = [{ value, key: '', name: '' }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: node, key, name } = next
    if (typeof node === 'string') {
      if (STREAM_FIELDS.has(name)) continue
      const pieces = streams.get(key) ?? []
      pieces.push({ text: node, at: place(node) })
      streams.set(key, pieces)
    } else if (Array.isArray(node)) {
      for (const item of [...node].reverse()) open.push({ value: item, key: `${key}[]`, name })
    } else if (typeof node === 'object' && node !== null) {
      const fields = Object.entries(node).reverse()
      const stream = fields.map(([field, of]) => (STREAM_FIELDS.has(field) && typeof of !== 'object' ? `${of},` : ''))
      for (const [field, of] of fields) open.push({ value: of, key: `${key}{${stream.join('')}}${field}`, name: field })
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
