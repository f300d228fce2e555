/**
 * Whether a pattern takes exponential time for a text that almost matches, as `(a+)+$` does. It tries repeated characters
 * of growing length, so it finds the usual cases and costs little; a pattern that takes quadratic time passes.
 */
export function isExponential(source: string, flags: string): boolean {
  const pattern = new RegExp(source, flags)
  const beginning = /^\^?([\w -]*)/.exec(source)?.[1] ?? ''
  // A quantifier belongs to the last character.
  const prefixes = new Set(['', beginning, beginning.slice(0, -1)])
  return [...prefixes].some((prefix) =>
    charactersOf(source).some((character) => growsFast(pattern, (length) => `${prefix}${character.repeat(length)}\0`)),
  )
}

const TYPICAL = ['a', 'A', '0', '-', '_', ' ', '.', '/']
const MOST_CHARACTERS = 24
const LONGEST = 30
const SLOW_MS = 20

function charactersOf(source: string): string[] {
  return [...new Set([...TYPICAL, ...(source.match(/[\w\s:,;@=%&#<>!~'"-]/g) ?? [])])].slice(0, MOST_CHARACTERS)
}

/** Stops at the first length that takes too long: with exponential time, that is not much longer than the limit. */
function growsFast(pattern: RegExp, textOf: (length: number) => string): boolean {
  for (let length = 1; length <= LONGEST; length++) {
    const text = textOf(length)
    if (timeOf(pattern, text) <= SLOW_MS) continue
    // Another process may have interrupted the first measurement.
    if (timeOf(pattern, text) > SLOW_MS && timeOf(pattern, text) > SLOW_MS) return true
  }
  return false
}

function timeOf(pattern: RegExp, text: string): number {
  const start = performance.now()
  pattern.test(text)
  return performance.now() - start
}
