import { IdBook } from './ids.ts'
import { pathFinders } from './path-finders.ts'
import { Replacer } from './replacer.ts'
import { shapeFinders } from './shape-finders.ts'
import type { Volatile } from './volatile-values.ts'

/**
 * Normalises a text that is neither a frame nor a log, such as a system prompt: known paths and session ids, temp names and
 * ports become tokens. Normalising twice changes nothing.
 */
export function normalizeText(text: string, volatile: Volatile): string {
  const book = new IdBook()
  book.reserve(text)
  for (const id of volatile.sessionIds ?? []) book.see('sessionId', id)
  const ids = book.number()
  return new Replacer([...shapeFinders(volatile, book), ...pathFinders(volatile.paths ?? {}), ids.find]).replace(text)
}
