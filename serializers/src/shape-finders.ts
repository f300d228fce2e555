import type { IdBook } from './ids.ts'
import type { Finder } from './matches.ts'
import { knownPortFinder } from './rules/known-ports.ts'
import { portFinder } from './rules/ports.ts'
import { tempNameFinder } from './rules/temp-names.ts'
import { findToken } from './tokens.ts'
import type { Volatile } from './volatile-values.ts'

/** The finders for every text, besides ids and known paths: tokens, which stay, and values with a typical shape. */
export function shapeFinders(
  { paths = {}, tempRoots = [], dataPaths = [], ports = [] }: Volatile,
  book: IdBook,
): Finder[] {
  return [
    findToken,
    tempNameFinder([...tempRoots, ...(paths.tmp ?? [])], dataPaths, book.numberInUse('tempName')),
    knownPortFinder(ports, book),
    portFinder(book.numberInUse('port')),
  ]
}
