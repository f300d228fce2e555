import type { IdBook, NumberedIds } from './ids.ts'
import type { Finder } from './matches.ts'
import { pathFinders } from './path-finders.ts'
import { ruleSet } from './rule-set.ts'
import { patternFinder } from './rules/added-patterns.ts'
import { portFinder } from './rules/ports.ts'
import { tempNameFinder } from './rules/temp-names.ts'
import { findToken } from './tokens.ts'
import type { Volatile } from './volatile-values.ts'

/**
 * The finders for every text: tokens, which stay; values with a typical shape; known paths and ids; at last the patterns
 * that the project added.
 */
export function textFinders(
  { paths = {}, tempRoots = [], dataPaths = [], rules }: Volatile,
  book: IdBook,
  ids: NumberedIds,
): Finder[] {
  const { isOn, patterns } = ruleSet(rules)
  const roots = [...tempRoots, ...(paths.tmp ?? [])]
  return [
    findToken,
    ...(isOn('temp-names') ? [tempNameFinder(roots, dataPaths, book.numberInUse('tempName'))] : []),
    ...(isOn('ports') ? [portFinder(book.numberInUse('port'))] : []),
    ...(isOn('paths') ? pathFinders(paths) : []),
    ids.find,
    ...patterns.map((pattern) => patternFinder(pattern, book.numberInUse(pattern.token))),
  ]
}
