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
    const tokens = findToken(text)
    return (from) => {
      let at = from
      for (;;) {
        pattern.lastIndex = at
        const found = pattern.exec(text)
        if (!found) return undefined
        const [value] = found
        const start = found.index
        const end = start + value.length
        if (value === '') {
          at = start + 1
          if (at > text.length) return undefined
          continue
        }
        const kept = tokens && firstOverlap(tokens, text, start, end)
        if (kept === undefined) return { start, end, replacement: () => tokenOf(value) }
        at = kept
      }
    }
  }
}

/** The end of the first token that overlaps a part of a text. A match may begin inside a token. */
function firstOverlap(
  tokens: NonNullable<ReturnType<Finder>>,
  text: string,
  start: number,
  end: number,
): number | undefined {
  // A token that contains `start` begins at the last `{{` before it.
  const open = text.lastIndexOf('{{', start)
  for (let at = open === -1 ? start : Math.max(0, open - 1); ; ) {
    const token = tokens(at)
    if (!token || token.start >= end) return undefined
    if (token.end > start) return token.end
    at = token.end
  }
}
