import { IdBook } from './ids.ts'
import { pathFinders } from './path-finders.ts'
import { Replacer } from './replacer.ts'
import { shapeFinders } from './shape-finders.ts'
import type { Volatile } from './volatile-values.ts'

/** A text that is no frame and no log, with the known paths in it as tokens. Normalising twice changes nothing. */
export function normalizeText(text: string, volatile: Volatile): string {
  const book = new IdBook()
  book.reserve(text)
  return new Replacer([...shapeFinders(volatile, book), ...pathFinders(volatile.paths ?? {})]).replace(text)
}
