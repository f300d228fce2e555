import { IdBook } from './ids.ts'
import { pathFinders } from './path-finders.ts'
import { Replacer } from './replacer.ts'
import { shapeFinders } from './shape-finders.ts'
import type { Volatile } from './volatile-values.ts'

/**
 * Normalises a text that is neither a frame nor a log, such as a system prompt: known paths, temp names and ports become
 * tokens. Normalising twice changes nothing.
 */
export function normalizeText(text: string, volatile: Volatile): string {
  const book = new IdBook()
  book.reserve(text)
  return new Replacer([...shapeFinders(volatile, book), ...pathFinders(volatile.paths ?? {})]).replace(text)
}
