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

/** Replaces what the finders find, in one pass: leftmost first, and the longest of those that start at one place. */
function replaceAll(text: string, finders: readonly Finder[]): string {
  const found = finders.map((find) => find(text, 0))
  let out = ''
  let at = 0
  for (;;) {
    const best = found.reduce(better, undefined)
    if (!best) return at === 0 ? text : out + text.slice(at)
    out += text.slice(at, best.start) + best.replacement
    at = best.end
    for (const [i, match] of found.entries()) {
      if (match && match.start < at) found[i] = finders[i]?.(text, at)
    }
  }
}

function better(a: Match | undefined, b: Match | undefined): Match | undefined {
  if (!a || !b) return a ?? b
  if (a.start !== b.start) return a.start < b.start ? a : b
  return b.end > a.end ? b : a
}
