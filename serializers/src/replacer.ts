import { better, type Match, merge, replaceAll, replaceInPieces } from './matches.ts'
import { endsInToken } from './tokens.ts'

/** Opens a text to look for one kind of match; `undefined` when it can hold none. */
export type Finder = (text: string) => Scan | undefined

/** The first match that starts at `from` or later. It sees the text before `from` as well, to judge a boundary. */
type Scan = (from: number) => Match | undefined

const NONE: readonly Match[] = []

/** Replaces what its finders find. It remembers its answers: in a transcript nearly every string comes many times. */
export class Replacer {
  readonly #finders: readonly Finder[]
  readonly #texts = new Map<string, string>()
  readonly #matches = new Map<string, readonly Match[]>()

  constructor(finders: readonly Finder[]) {
    this.#finders = finders
  }

  replace(text: string): string {
    const known = this.#texts.get(text)
    if (known !== undefined) return known
    const replaced = untilNothingChanges(text, (before) => replaceAll(before, this.#find(before)))
    this.#texts.set(text, replaced)
    return replaced
  }

  /**
   * Replaces in a text that came in pieces, also across their borders: what stands in the place of a match goes where
   * the match begins. As many pieces come back, some of them shorter, or empty.
   *
   * The pieces may be texts of their own that only look like one: what matches inside a piece is replaced whatever
   * stands in the next one, unless it is a part of a longer match.
   */
  replaceAcross(pieces: readonly string[]): readonly string[] {
    return untilNothingChanges(pieces, (before) => {
      const after = replaceInPieces(before, this.#findAcross(before))
      return after.every((piece, i) => piece === before[i]) ? before : after
    })
  }

  #findAcross(pieces: readonly string[]): readonly Match[] {
    const joined = pieces.join('')
    const alone: Match[] = []
    let start = 0
    for (const piece of pieces) {
      for (const match of this.#findAlone(piece, joined, start)) alone.push(match)
      start += piece.length
    }
    return merge(this.#find(joined), alone)
  }

  /** What a piece holds by itself. A token right before it is seen: the piece may be what is left behind a match. */
  #findAlone(piece: string, joined: string, start: number): readonly Match[] {
    const matches = this.#recall(piece)
    if (matches.length === 0) return matches
    const before = endsInToken(joined, start) ? '}}' : ''
    const seen = before === '' ? matches : this.#recall(before + piece)
    const offset = start - before.length
    return seen.map(({ start, end, replacement }) => ({ start: start + offset, end: end + offset, replacement }))
  }

  #recall(text: string): readonly Match[] {
    const known = this.#matches.get(text)
    if (known) return known
    const matches = this.#find(text)
    this.#matches.set(text, matches)
    return matches
  }

  /** What the finders find, in one pass: leftmost first, and the longest of those that start at one place. */
  #find(text: string): readonly Match[] {
    const scans = this.#finders.flatMap((open) => open(text) ?? [])
    if (scans.length === 0) return NONE
    const found = scans.map((scan) => scan(0))
    const matches: Match[] = []
    for (;;) {
      const best = found.reduce(better, undefined)
      if (!best) return matches.length === 0 ? NONE : matches
      matches.push(best)
      for (const [i, match] of found.entries()) {
        if (match && match.start < best.end) found[i] = scans[i]?.(best.end)
      }
    }
  }
}

/** A token is a boundary, and so may make another match: goes on until there is none. */
function untilNothingChanges<T>(before: T, replace: (before: T) => T): T {
  for (let at = before; ; ) {
    const after = replace(at)
    if (after === at) return at
    at = after
  }
}
