import { type Reading, readingsOf, withoutSpace } from './reading.ts'
import type { Kind } from './shapes.ts'

/** A kind of secret to search for. `spaceless`: search the text without its white space. */
export interface Search extends Kind {
  spaceless?: boolean
}

/** A secret that was found: its range in the original text. */
export interface Find {
  what: string
  start: number
  end: number
  /** The match in the decoded text, followed by the groups of the pattern. */
  texts: readonly string[]
}

/** Searches a text and all its decoded forms for each kind. */
export function findIn(start: Reading, searches: readonly Search[]): Find[] {
  if (searches.length === 0) return []
  return readingsOf(start).flatMap((reading) => {
    const dense = withoutSpace(reading)
    return searches.flatMap((search) => findOne(search.spaceless ? dense : reading, search))
  })
}

/** The range in the original text of a non-empty range of a reading. */
export function placeOf({ origin, until }: Reading, start: number, end: number): { start: number; end: number } {
  return { start: origin(start), end: until(end - 1) }
}

/** Replaces each find. Finds that overlap an earlier one are replaced together with it. */
export function cutOut<T extends { start: number; end: number }>(
  text: string,
  finds: readonly T[],
  replacement: (find: T) => string,
): string {
  let result = ''
  let end = 0
  for (const find of [...finds].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (find.start >= end) result += text.slice(end, find.start) + replacement(find)
    end = Math.max(end, find.end)
  }
  return result + text.slice(end)
}

function findOne(reading: Reading, { what, pattern, accepts = () => true }: Search): Find[] {
  if (reading.text.search(pattern) === -1) return []
  return [...reading.text.matchAll(pattern)].filter(accepts).map((match) => ({
    what,
    ...placeOf(reading, match.index, match.index + match[0].length),
    texts: match.filter((part) => part !== undefined),
  }))
}
