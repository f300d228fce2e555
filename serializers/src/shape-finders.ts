import type { IdBook } from './ids.ts'
import type { Finder } from './replacer.ts'
import { portFinder } from './rules/ports.ts'
import { tempNameFinder } from './rules/temp-names.ts'
import { findToken } from './tokens.ts'
import type { Volatile } from './volatile-values.ts'

/** What is found in every text, beside ids and known paths: tokens, which stay, and values that have a shape. */
export function shapeFinders({ paths = {}, tempRoots = [], dataPaths = [] }: Volatile, book: IdBook): Finder[] {
  return [
    findToken,
    tempNameFinder([...tempRoots, ...(paths.tmp ?? [])], dataPaths, book.numberInUse('tempName')),
    portFinder(book.numberInUse('port')),
  ]
}
