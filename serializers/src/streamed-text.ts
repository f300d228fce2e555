import { type Json, jsonString, replaceValues, valueAt } from './json.ts'
import type { Replacer } from './replacer.ts'

/** A piece of a streamed text: its line, its path in that line, and the stream that it belongs to. */
export interface Piece {
  readonly line: number
  readonly path: readonly string[]
  readonly text: string
  readonly stream: number
}

/** The pieces of each stream, in order. */
export function streamsOf(pieces: readonly Piece[]): Piece[][] {
  const streams = new Map<number, Piece[]>()
  for (const piece of pieces) {
    const stream = streams.get(piece.stream)
    if (stream) stream.push(piece)
    else streams.set(piece.stream, [piece])
  }
  return [...streams.values()]
}

/** Rewrites a line by itself, and puts the rewritten piece into it. */
type RewriteLine = (json: Json, line: number, rewrite: (json: Json) => Json) => Json

/**
 * Rewrites texts that a model streamed. A path may be split anywhere, and only the whole text shows where it ends.
 *
 * @param asOne whether the pieces are certainly one text, so that the result does not depend on their borders
 * @returns a function that rewrites a line, and puts its pieces into it
 */
export function rewriteStreams(pieces: readonly Piece[], replacer: Replacer, asOne = false): RewriteLine {
  const changed = new Map<number, { path: readonly string[]; text: string }>()
  for (const stream of streamsOf(pieces)) {
    const texts = replacer.replaceAcross(
      stream.map(({ text }) => text),
      asOne,
    )
    for (const [i, { line, path, text: before }] of stream.entries()) {
      const text = texts[i] ?? before
      if (asOne || text !== replacer.replace(before)) changed.set(line, { path, text })
    }
  }
  return (json, line, rewrite) => {
    const piece = changed.get(line)
    if (!piece) return rewrite(json)
    return withText(rewrite(asOne ? withText(json, piece.path, '') : json), piece.path, piece.text)
  }
}

/** The string at a path of keys; `undefined` if there is none. */
export function textAt(json: Json | undefined, path: readonly string[]): string | undefined {
  const found = path.reduce((value: Json | undefined, key) => value && valueAt(value, key), json)
  return found?.kind === 'string' ? found.value : undefined
}

/** A JSON value with another string at a path of keys. */
export function withText(json: Json, [key, ...rest]: readonly string[], text: string): Json {
  if (key === undefined) return jsonString(text)
  return replaceValues(json, (name, value) => (name === key ? withText(value, rest, text) : undefined))
}
