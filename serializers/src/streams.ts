import { type Json, jsonString, replaceValues, valueAt } from './json.ts'
import { type Finder, replaceAcross } from './text.ts'

/** A piece of a text that came in pieces: in which line, at which path, of which stream. */
export interface Piece {
  line: number
  path: readonly string[]
  stream: string
}

/**
 * Rewrites texts that a model streamed: a path may be cut anywhere, and only the whole text tells where it ends.
 *
 * @param before the lines as they came
 * @param after the same lines, rewritten one by one
 */
export function rewriteStreams(
  before: readonly Json[],
  after: readonly Json[],
  pieces: readonly Piece[],
  finders: readonly Finder[],
): Json[] {
  const streams = new Map<string, Piece[]>()
  for (const piece of pieces) {
    const stream = streams.get(piece.stream) ?? []
    streams.set(piece.stream, stream)
    stream.push(piece)
  }
  const lines = [...after]
  for (const stream of streams.values()) {
    const texts = stream.map(({ line, path }) => textAt(before[line], path) ?? '')
    for (const [i, text] of replaceAcross(texts, finders).entries()) {
      const piece = stream[i]
      const line = piece && lines[piece.line]
      if (line && text !== textAt(line, piece.path)) lines[piece.line] = withText(line, piece.path, text)
    }
  }
  return lines
}

/** The string at a path of keys, if there is one. */
export function textAt(json: Json | undefined, path: readonly string[]): string | undefined {
  const found = path.reduce((value: Json | undefined, key) => value && valueAt(value, key), json)
  return found?.kind === 'string' ? found.value : undefined
}

function withText(json: Json, [key, ...rest]: readonly string[], text: string): Json {
  if (key === undefined) return jsonString(text)
  return replaceValues(json, (name, value) => (name === key ? withText(value, rest, text) : undefined))
}
