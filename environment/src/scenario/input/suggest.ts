import leven from 'leven'

/** `; did you mean "prompt"?` when one of the names is close to what was written, else an empty text. */
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

/** No known name is half as long, and comparing takes time in proportion to both lengths. */
const LONGEST_TYPO = 100
