/** Jest's update mode: `none` under `--ci`, `all` with `-u`, else `new`. */
export type UpdateMode = 'all' | 'new' | 'none'

/** What is to be done about a golden. */
export type Verdict = 'matches' | 'differs' | 'is missing' | 'add' | 'update'

/** Judges a golden. @param expected its text, LF line ends, or `undefined` when there is none */
export function judgeGolden(expected: string | undefined, actual: string, update: UpdateMode): Verdict {
  if (expected === actual) return 'matches'
  if (expected === undefined) return update === 'none' ? 'is missing' : 'add'
  return update === 'all' ? 'update' : 'differs'
}
