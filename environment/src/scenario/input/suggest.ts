/** `; did you mean "prompt"?` when one of the names is near to what was written, else nothing. */
export function suggest(written: string, names: readonly string[]): string {
  if (written.length > LONGEST_TYPO) return ''
  const limit = Math.max(1, Math.floor(written.length / 3))
  let best: string | undefined
  let least = limit + 1
  for (const name of names) {
    const edits = distance(written.toLowerCase(), name.toLowerCase())
    if (edits < least) {
      best = name
      least = edits
    }
  }
  return best === undefined ? '' : `; did you mean ${JSON.stringify(best)}?`
}

/** No name of ours is half as long, and the comparison takes the product of two lengths. */
const LONGEST_TYPO = 100

/** How many letters must be put in, taken out or exchanged to come from `a` to `b` (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const exchanged = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(exchanged, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
