import { better, type Finder, type Match, merge, replaceAll, replaceInPieces } from './matches.ts'
import { endsInToken } from './tokens.ts'

const NONE: readonly Match[] = []

/** A part of a text that was replaced, and its replacement. */
interface Change {
  readonly before: string
  readonly after: string
}

/** Replaces the matches of its finders. It caches results, since most strings of a transcript occur many times. */
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

  /** What {@link replace} replaces in a text, in order, and the resulting text. */
  explain(text: string): { changes: Change[]; result: string } {
    const changes: Change[] = []
    const result = untilNothingChanges(text, (text) => {
      const matches = this.#find(text)
      for (const { start, end, replacement } of matches) {
        const [before, after] = [text.slice(start, end), replacement()]
        if (before !== after) changes.push({ before, after })
      }
      return replaceAll(text, matches)
    })
    return { changes, result }
  }

  /**
   * Replaces matches in a text that arrived in pieces, also across their borders. The replacement goes into the piece in
   * which the match begins. Returns the same number of pieces; some may be shorter or empty.
   *
   * The pieces may be separate texts that only look like one. So a match inside a piece is replaced whatever the next
   * piece is, unless it is part of a longer match.
   *
   * @param asOne whether the pieces are certainly one text
   */
  replaceAcross(pieces: readonly string[], asOne = false): readonly string[] {
    return untilNothingChanges(pieces, (before) => {
      const matches = asOne ? this.#find(before.join('')) : this.#findAcross(before)
      const after = replaceInPieces(before, matches)
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

  /** The matches in a piece by itself. It takes into account a token right before it: the piece may be the rest after a match. */
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

  /** The matches of all finders, in one pass: the leftmost wins, then the longest. */
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

/** A token is a boundary, so a replacement may create another match: repeats until there is none. */
function untilNothingChanges<T>(before: T, replace: (before: T) => T): T {
  for (let at = before; ; ) {
    const after = replace(at)
    if (after === at) return at
    at = after
  }
}
