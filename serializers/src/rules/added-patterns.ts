import type { Finder } from '../matches.ts'
import type { AddedRule } from '../normalize-rules.ts'
import { findToken } from '../tokens.ts'

/** An added rule with a pattern. */
export interface AddedPattern {
  readonly name: string
  readonly token: string
  readonly pattern: RegExp
}

/** A longer text is not searched, so that a slow pattern cannot stop a run. */
const LONGEST_SEARCHED = 1_000_000

export function toPattern({ name, token, match, flags = '' }: AddedRule): AddedPattern[] {
  return match === undefined ? [] : [{ name, token, pattern: new RegExp(match, `${flags}g`) }]
}

/**
 * Finds the matches of a pattern. A match that overlaps a token does not count, so that replacing comes to an end.
 *
 * @param tokenOf the token of a match
 */
export function patternFinder({ pattern }: AddedPattern, tokenOf: (value: string) => string): Finder {
  return (text) => {
    if (text.length > LONGEST_SEARCHED) return undefined
    const nextToken = findToken(text)
    // A scan only moves forward, so the tokens are read once.
    let token = nextToken?.(0)
    return (from) => {
      for (let at = from; at <= text.length; ) {
        pattern.lastIndex = at
        const found = pattern.exec(text)
        if (!found) return undefined
        const [value] = found
        const start = found.index
        const end = start + value.length
        while (token && token.end <= start) token = nextToken?.(token.end)
        if (value === '') at = start + 1
        else if (token && token.start < end) at = token.end
        else return { start, end, replacement: () => tokenOf(value) }
      }
      return undefined
    }
  }
}
