import { shapeFinders } from './finders.ts'
import { IdBook } from './ids.ts'
import { pathFinders } from './paths.ts'
import { Replacer } from './text.ts'
import type { Volatile } from './volatile.ts'

/** A text that is no frame and no log, with the known paths in it as tokens. Normalising twice changes nothing. */
export function normalizeText(text: string, volatile: Volatile): string {
  const book = new IdBook()
  book.reserve(text)
  return new Replacer([...shapeFinders(volatile, book), ...pathFinders(volatile.paths ?? {})]).replace(text)
}
