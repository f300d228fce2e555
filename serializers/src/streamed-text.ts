import { type Json, jsonString, replaceValues, valueAt } from './json.ts'
import type { Replacer } from './replacer.ts'

/** A piece of a streamed text: its line, its path in that line, and the stream that it belongs to. */
export interface Piece {
  readonly line: number
  readonly path: readonly string[]
  readonly text: string
  readonly stream: number
}

/** Puts the rewritten piece into its line. */
type PutPiece = (json: Json, line: number) => Json

/**
 * Rewrites texts that a model streamed. A path may be split anywhere, and only the whole text shows where it ends.
 *
 * @returns a function that puts the pieces into their lines, after each line is rewritten by itself
 */
export function rewriteStreams(pieces: readonly Piece[], replacer: Replacer): PutPiece {
  const streams = new Map<number, Piece[]>()
  for (const piece of pieces) {
    const stream = streams.get(piece.stream)
    if (stream) stream.push(piece)
    else streams.set(piece.stream, [piece])
  }
  const changed = new Map<number, { path: readonly string[]; text: string }>()
  for (const stream of streams.values()) {
    const texts = replacer.replaceAcross(stream.map(({ text }) => text))
    for (const [i, { line, path, text: before }] of stream.entries()) {
      const text = texts[i] ?? before
      if (text !== replacer.replace(before)) changed.set(line, { path, text })
    }
  }
  return (json, line) => {
    const piece = changed.get(line)
    return piece ? withText(json, piece.path, piece.text) : json
  }
}

/** The string at a path of keys; `undefined` if there is none. */
export function textAt(json: Json | undefined, path: readonly string[]): string | undefined {
  const found = path.reduce((value: Json | undefined, key) => value && valueAt(value, key), json)
  return found?.kind === 'string' ? found.value : undefined
}

function withText(json: Json, [key, ...rest]: readonly string[], text: string): Json {
  if (key === undefined) return jsonString(text)
  return replaceValues(json, (name, value) => (name === key ? withText(value, rest, text) : undefined))
}
