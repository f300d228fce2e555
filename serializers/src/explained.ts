import type { Replacement } from './explain.ts'
import type { NormalizeRules } from './normalize-rules.ts'

/**
 * The replacements as lines of text, by rule: each value once, with its places.
 *
 * @param hide removes secrets from a text. It sees each value whole, before it is shortened
 */
export function formatReplacements(replacements: readonly Replacement[], hide: (text: string) => string): string[] {
  return [...groupBy(replacements, ({ rule }) => rule)].flatMap(([rule, ofRule]) => [
    `${rule}: ${count(ofRule.length, 'replacement')}`,
    ...[...groupBy(ofRule, ({ before, after }) => JSON.stringify([before, after]))].map(([, same]) => {
      const [{ before, after }] = same
      return `  ${shorten(hide(before))} → ${shorten(hide(after))}: ${placesOf(same)}`
    }),
  ])
}

/**
 * The added rules and the unordered kinds that replaced nothing in any of the runs.
 *
 * @param runs the replacements of each run
 */
export function unusedRules({ add = [], unordered = [] }: NormalizeRules, runs: readonly Replacement[][]): string[] {
  const used = new Set(runs.flat().map(({ rule }) => rule))
  const kinds = unordered.length > 0 && !used.has('unordered') ? ['unordered'] : []
  return [...add.map(({ name }) => name).filter((name) => !used.has(name)), ...kinds]
}

type Group = [Replacement, ...Replacement[]]

function groupBy(items: readonly Replacement[], keyOf: (item: Replacement) => string): Map<string, Group> {
  const groups = new Map<string, Group>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

const MOST_PLACES = 3

function placesOf(replacements: Group): string {
  const places = replacements.slice(0, MOST_PLACES).map(({ log, line, pointer }) => {
    const where = log === undefined ? `frame ${line}` : `session log ${log}, line ${line}`
    return pointer === '' ? where : `${where} ${pointer}`
  })
  const more = replacements.length - places.length
  return `${places.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

const LONGEST = 80

function shorten(text: string): string {
  return JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`
}
