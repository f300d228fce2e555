import { IdBook } from './ids.ts'
import { Replacer } from './replacer.ts'
import { ruleSet } from './rule-set.ts'
import { textFinders } from './text-finders.ts'
import type { Volatile } from './volatile-values.ts'

/**
 * Normalises a text that is neither a frame nor a log, such as a system prompt: known paths and session ids, temp names,
 * ports and the matches of added patterns become tokens. Normalising twice changes nothing.
 */
export function normalizeText(text: string, volatile: Volatile): string {
  const book = new IdBook()
  book.reserve(text)
  if (ruleSet(volatile.rules).isOn('ids')) for (const id of volatile.sessionIds ?? []) book.see('sessionId', id)
  return new Replacer(textFinders(volatile, book, book.number())).replace(text)
}
