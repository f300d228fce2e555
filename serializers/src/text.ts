/** A part of a text, and what stands in its place. */
export interface Match {
  readonly start: number
  readonly end: number
  readonly replacement: string
}

/** The first match that starts at `from` or later. It sees the text before `from` as well, to judge a boundary. */
export type Finder = (text: string, from: number) => Match | undefined

/** {@link replaceAll}, that remembers its answers: in a transcript nearly every string comes many times. */
export function replacer(finders: readonly Finder[]): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const after = replaceAll(text, finders)
    known.set(text, after)
    return after
  }
}

/**
 * Replaces in a text that came in pieces, across their borders: what stands in the place of a match goes where the match
 * begins. As many pieces come back, some of them shorter, or empty.
 */
export function replaceAcross(pieces: readonly string[], finders: readonly Finder[]): string[] {
  const matches = findAll(pieces.join(''), finders)
  let start = 0
  return pieces.map((piece) => {
    const end = start + piece.length
    let out = ''
    let at = start
    for (const match of matches) {
      if (match.end <= start || match.start >= end) continue
      if (match.start >= start) out += piece.slice(at - start, match.start - start) + match.replacement
      at = Math.min(match.end, end)
    }
    out += piece.slice(at - start)
    start = end
    return out
  })
}

function replaceAll(text: string, finders: readonly Finder[]): string {
  let out = ''
  let at = 0
  for (const match of findAll(text, finders)) {
    out += text.slice(at, match.start) + match.replacement
    at = match.end
  }
  return at === 0 ? text : out + text.slice(at)
}

/** What the finders find, in one pass: leftmost first, and the longest of those that start at one place. */
function findAll(text: string, finders: readonly Finder[]): Match[] {
  const found = finders.map((find) => find(text, 0))
  const matches: Match[] = []
  for (;;) {
    const best = found.reduce(better, undefined)
    if (!best) return matches
    matches.push(best)
    for (const [i, match] of found.entries()) {
      if (match && match.start < best.end) found[i] = finders[i]?.(text, best.end)
    }
  }
}

function better(a: Match | undefined, b: Match | undefined): Match | undefined {
  if (!a || !b) return a ?? b
  if (a.start !== b.start) return a.start < b.start ? a : b
  return b.end > a.end ? b : a
}
