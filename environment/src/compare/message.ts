import { inspect } from '../run/error.ts'
import { describeStderr } from '../run/failure.ts'
import type { Difference } from './difference.ts'

/** What a comparison that failed has to say. */
export interface Mismatch {
  scenario: string
  /** What was compared, as in `the transcript differs from stdout.golden.jsonl`. */
  headline: string
  difference: Difference
  /** Where the first difference stands, as in `frame 7 (step 3, prompt)`. */
  place: string
  diff: string | null
  stderr: string
  /** What to do when the difference is wanted. */
  next: string
}

const DIFF_LINES = 60
const LINE_LENGTH = 240

/** The message of a failed comparison, in this order: what differed first, a capped diff, the agent's stderr, what to do. */
export function describeMismatch({ scenario, headline, difference, place, diff, stderr, next }: Mismatch): string {
  const { path, expected, got, differing } = difference
  const first = [
    `scenario ${scenario}: ${headline}`,
    `  first at ${place}${path && `, ${path}`}:`,
    `    expected ${said(expected)}`,
    `    got      ${said(got)}`,
    `  ${differing} ${differing === 1 ? 'line differs' : 'lines differ'} in all`,
  ].join('\n')
  return [first, ...(diff ? [capDiff(diff)] : []), describeStderr(stderr), next].join('\n\n')
}

/** A transcript has thousands of lines, and a line may be long: shows the beginning of both. */
export function capDiff(diff: string): string {
  const lines = diff.split('\n').map((line) => (line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line))
  if (lines.length <= DIFF_LINES) return lines.join('\n')
  return [...lines.slice(0, DIFF_LINES), `… ${lines.length - DIFF_LINES} more lines of diff`].join('\n')
}

function said(value: unknown): string {
  if (value === undefined) return 'nothing'
  return inspect(typeof value === 'string' ? JSON.stringify(value) : value)
}
