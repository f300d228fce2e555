/** The position of an equal item in each list; `undefined` where a list has none. */
export type Row = readonly (number | undefined)[]

/** Aligns each list with the first one: the rows in the order of the first list, then what only another list has. */
export function align(lists: readonly (readonly string[])[]): Row[] {
  const [first = [], ...others] = lists
  const pairs = others.map((other) => commonSubsequence(first, other))
  const rows: Row[] = first.map((_, at) => [at, ...pairs.map((pair) => pair.get(at))])
  const extra = others.flatMap((other, i) => {
    const matched = new Set(pairs[i]?.values())
    return other.flatMap((_, at) => (matched.has(at) ? [] : [lists.map((_, n) => (n === i + 1 ? at : undefined))]))
  })
  return [...rows, ...extra]
}

/** A longest common subsequence: the position in `b` for positions in `a`. */
function commonSubsequence(a: readonly string[], b: readonly string[]): Map<number, number> {
  const lengths = a.map(() => b.map(() => 0))
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    const row = lengths[i] ?? []
    for (let j = b.length - 1; j >= 0; j--) {
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const pairs = new Map<number, number>()
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.set(i++, j++)
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return pairs
}
