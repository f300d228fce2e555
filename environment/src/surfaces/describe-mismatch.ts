import { escapeControls } from '../escape-controls.ts'
import { describeRefused, describeStderr } from '../run/failure.ts'
import { inspect } from '../scenario-error.ts'
import type { Mismatch } from './mismatch.ts'

/** What a message contains besides the mismatch. */
interface MismatchContext {
  scenario: string
  stderr: string
  refused: readonly string[]
  /** Jest's diff of two texts. */
  diff: (expected: string, got: string) => string | null
}

const DIFF_LINES = 60
const LINE_LENGTH = 240
/** Characters shown before the first difference of two long texts. */
const CONTEXT = 60

/** The message of a failed comparison: the first difference, a shortened diff, the agent's stderr, what to do next. */
export function describeMismatch(mismatch: Mismatch, { scenario, stderr, refused, diff }: MismatchContext): string {
  const { headline, first, texts, showsStderr, next } = mismatch
  const shown = texts && diff(texts.expected, texts.got)
  return [
    escapeControls([`scenario ${scenario}: ${headline}`, ...(first ? describeFirst(first) : [])].join('\n')),
    ...(shown ? [capDiff(shown)] : []),
    ...(showsStderr ? [...describeRefused(refused), describeStderr(stderr)] : []),
    ...(next === undefined ? [] : [next]),
  ].join('\n\n')
}

function describeFirst({ place, difference }: NonNullable<Mismatch['first']>): string[] {
  const { path, differing } = difference
  const [expected, got] = fromWhereTheyPart(difference.expected, difference.got)
  return [
    `  first at ${place}${path && `, ${path}`}:`,
    `    expected ${said(expected)}`,
    `    got      ${said(got)}`,
    `  ${differing} ${differing === 1 ? 'line differs' : 'lines differ'} in all`,
  ]
}

/** Shortens a diff: a transcript may have thousands of lines, and lines may be long. */
function capDiff(diff: string): string {
  const lines = diff.split('\n').map(capLine)
  if (lines.length <= DIFF_LINES) return lines.join('\n')
  return [...lines.slice(0, DIFF_LINES), `… ${lines.length - DIFF_LINES} more lines of diff`].join('\n')
}

/** Shortens a line, but keeps the escape sequence that resets its colour. */
function capLine(line: string): string {
  if (line.length <= LINE_LENGTH) return line
  const lastEscape = line.lastIndexOf('\u001b')
  return `${line.slice(0, LINE_LENGTH)}…${lastEscape > LINE_LENGTH ? line.slice(lastEscape) : ''}`
}

/** Cuts the common beginning of two long texts, so that shortening them does not hide the difference. */
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
