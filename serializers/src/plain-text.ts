import { pathFinder } from './paths.ts'
import { replacer } from './text.ts'
import { findToken } from './tokens.ts'
import type { Volatile } from './volatile.ts'

/** A text that is no frame and no log, with the known paths in it as tokens. Normalising twice changes nothing. */
export function normalizeText(text: string, { paths = {} }: Pick<Volatile, 'paths'>): string {
  return replacer([findToken, pathFinder(paths)])(text)
}
