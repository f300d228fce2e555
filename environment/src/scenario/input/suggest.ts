import leven from 'leven'

/** `; did you mean "prompt"?` if one of the names is similar to the given word, otherwise an empty text. */
export function suggest(written: string, names: readonly string[]): string {
  if (written.length > LONGEST_TYPO) return ''
  const limit = Math.max(1, Math.floor(written.length / 3))
  let best: string | undefined
  let least = limit + 1
  for (const name of names) {
    const edits = leven(written.toLowerCase(), name.toLowerCase())
    if (edits < least) {
      best = name
      least = edits
    }
  }
  return best === undefined ? '' : `; did you mean ${JSON.stringify(best)}?`
}

/** Longer than any known name: a comparison takes time in proportion to both lengths. */
const LONGEST_TYPO = 100
