import type { IdBook, NumberedIds } from './ids.ts'
import type { Finder } from './matches.ts'
import { pathFinders } from './path-finders.ts'
import { Replacer } from './replacer.ts'
import { ruleSet } from './rule-set.ts'
import { patternFinder } from './rules/added-patterns.ts'
import { knownPortFinder } from './rules/known-ports.ts'
import { portFinder } from './rules/ports.ts'
import { tempNameFinder } from './rules/temp-names.ts'
import { findToken } from './tokens.ts'
import type { Volatile } from './volatile-values.ts'

/**
 * The finders for every text: tokens, which stay; values with a typical shape; known paths and ids; at last the patterns
 * that the project added.
 */
export function textFinders(volatile: Volatile, book: IdBook, ids: NumberedIds): Finder[] {
  const { patterns } = ruleSet(volatile.rules)
  const added = patterns.map((pattern) => patternFinder(pattern, book.numberInUse(pattern.token)))
  return [...builtInFinders(volatile, book, ids), ...added]
}

function builtInFinders(
  { paths = {}, tempRoots = [], dataPaths = [], ports = [], rules }: Volatile,
  book: IdBook,
  ids: NumberedIds,
): Finder[] {
  const { isOn } = ruleSet(rules)
  const roots = [...tempRoots, ...(paths.tmp ?? [])]
  return [
    findToken,
    ...(isOn('temp-names') ? [tempNameFinder(roots, dataPaths, book.numberInUse('tempName'))] : []),
    ...(isOn('ports') ? [knownPortFinder(ports, book), portFinder(book.numberInUse('port'))] : []),
    ...(isOn('paths') ? pathFinders(paths) : []),
    ids.find,
  ]
}

/** Keys of the vocabulary of ACP and of session logs, by which frames and events are told apart. */
const VOCABULARY: ReadonlySet<string> = new Set(['jsonrpc', 'method', 'type', 'sessionUpdate'])

/** Rewrites a word of the vocabulary: no added pattern applies. Absent without patterns. */
export function vocabularyRule(
  volatile: Volatile,
  book: IdBook,
  ids: NumberedIds,
): ((key: string, text: string) => string | undefined) | undefined {
  if (ruleSet(volatile.rules).patterns.length === 0) return undefined
  const replacer = new Replacer(builtInFinders(volatile, book, ids))
  return (key, text) => (VOCABULARY.has(key) ? replacer.replace(text) : undefined)
}
