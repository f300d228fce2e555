/** A part of a text, and its replacement. */
export interface Match {
  readonly start: number
  readonly end: number
  /** Called only when the match is used: some tokens get their number then. */
  readonly replacement: () => string
}

/** Prepares to search a text for one kind of match; `undefined` when it cannot contain one. */
export type Finder = (text: string) => Scan | undefined

/** The first match that starts at `from` or later. It also sees the text before `from`, to check for a boundary. */
type Scan = (from: number) => Match | undefined

export function replaceAll(text: string, matches: readonly Match[]): string {
  let out = ''
  let at = 0
  for (const { start, end, replacement } of matches) {
    out += text.slice(at, start) + replacement()
    at = end
  }
  return at === 0 ? text : out + text.slice(at)
}

export function replaceInPieces(pieces: readonly string[], matches: readonly Match[]): readonly string[] {
  if (matches.length === 0) return pieces
  let next = 0
  let start = 0
  return pieces.map((piece) => {
    const end = start + piece.length
    let out = ''
    let at = start
    for (let match = matches[next]; match && match.start < end; match = matches[next]) {
      if (match.start >= start) out += piece.slice(at - start, match.start - start) + match.replacement()
      at = Math.min(match.end, end)
      if (match.end > end) break
      next++
    }
    out = at === start ? piece : out + piece.slice(at - start)
    start = end
    return out
  })
}

/** Merges two sorted lists, without overlaps: the leftmost match wins, then the longer one. */
export function merge(a: readonly Match[], b: readonly Match[]): readonly Match[] {
  if (b.length === 0) return a
  const merged: Match[] = []
  let [i, j, end] = [0, 0, 0]
  for (;;) {
    for (let match = a[i]; match && match.start < end; match = a[i]) i++
    for (let match = b[j]; match && match.start < end; match = b[j]) j++
    const best = better(a[i], b[j])
    if (!best) return merged
    merged.push(best)
    end = best.end
  }
}

export function better(a: Match | undefined, b: Match | undefined): Match | undefined {
  if (!a || !b) return a ?? b
  if (a.start !== b.start) return a.start < b.start ? a : b
  return b.end > a.end ? b : a
}
