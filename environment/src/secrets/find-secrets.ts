import { type Reading, readingsOf, withoutSpace } from './reading.ts'
import type { Kind } from './shapes.ts'

/** A kind to look for. `spaceless` when it is looked for in a text without white space. */
export interface Search extends Kind {
  spaceless?: boolean
}

/** Where a secret stands in the original text. */
export interface Find {
  what: string
  start: number
  end: number
  /** What was found, as the reading has it, and the parts of it that the pattern tells apart. */
  texts: readonly string[]
}

/** Looks for each kind in a text, however it is encoded there. */
export function findIn(start: Reading, searches: readonly Search[]): Find[] {
  if (searches.length === 0) return []
  return readingsOf(start).flatMap((reading) => {
    const dense = withoutSpace(reading)
    return searches.flatMap((search) => findOne(search.spaceless ? dense : reading, search))
  })
}

/** The place in the original text of a range of a reading, which is not empty. */
export function placeOf({ origin, until }: Reading, start: number, end: number): { start: number; end: number } {
  return { start: origin(start), end: until(end - 1) }
}

/** Puts something else in the place of each find; one that lies in another, or begins in it, is part of it. */
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
