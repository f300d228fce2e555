import { escapeControls } from '../escape-controls.ts'
import { inspect } from '../run/error.ts'
import { describeStderr } from '../run/failure.ts'
import type { Difference } from './difference.ts'

/** What a comparison that failed has to say. */
interface Mismatch {
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
/** Characters shown before the place where two texts part. */
const CONTEXT = 60

/** The message of a failed comparison, in this order: what differed first, a capped diff, the agent's stderr, what to do. */
export function describeMismatch({ scenario, headline, difference, place, diff, stderr, next }: Mismatch): string {
  const { path, differing } = difference
  const [expected, got] = fromWhereTheyPart(difference.expected, difference.got)
  const first = [
    `scenario ${scenario}: ${headline}`,
    `  first at ${place}${path && `, ${path}`}:`,
    `    expected ${said(expected)}`,
    `    got      ${said(got)}`,
    `  ${differing} ${differing === 1 ? 'line differs' : 'lines differ'} in all`,
  ].join('\n')
  return [escapeControls(first), ...(diff ? [capDiff(diff)] : []), describeStderr(stderr), next].join('\n\n')
}

/** A transcript has thousands of lines, and a line may be long: shows the beginning of both. */
export function capDiff(diff: string): string {
  const lines = diff.split('\n').map(capLine)
  if (lines.length <= DIFF_LINES) return lines.join('\n')
  return [...lines.slice(0, DIFF_LINES), `… ${lines.length - DIFF_LINES} more lines of diff`].join('\n')
}

/** What ends a line's colour has to stay. */
function capLine(line: string): string {
  if (line.length <= LINE_LENGTH) return line
  const lastEscape = line.lastIndexOf('\u001b')
  return `${line.slice(0, LINE_LENGTH)}…${lastEscape > LINE_LENGTH ? line.slice(lastEscape) : ''}`
}

/** Two long texts that begin alike are shown from shortly before they part, where a cut would hide it. */
function fromWhereTheyPart(expected: unknown, got: unknown): [unknown, unknown] {
  if (typeof expected !== 'string' || typeof got !== 'string') return [expected, got]
  let start = 0
  while (start < expected.length && expected[start] === got[start]) start++
  if (start < 2 * CONTEXT) return [expected, got]
  return [`…${expected.slice(start - CONTEXT)}`, `…${got.slice(start - CONTEXT)}`]
}

function said(value: unknown): string {
  if (value === undefined) return 'nothing'
  return inspect(typeof value === 'string' ? JSON.stringify(value) : value)
}
