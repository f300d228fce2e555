import { describeDifference, type ParsedLog, replayDifference } from '@acp-snapshot/session'
import { normalizeSessionLogs, type Volatile } from 'jest-serializer-acp'
import { StepError } from './error.ts'

/** A log as the agent left it. */
interface Log {
  text: string
  parsed: ParsedLog
}

/**
 * The universal replay invariant, for the logs of a run: each one, read into a fresh session, derives the same messages,
 * and what is normalised normalises to itself.
 *
 * @throws StepError that says which log does not, and where
 */
export function checkLogInvariants(logs: readonly Log[], volatile: Volatile): void {
  for (const [i, { parsed }] of logs.entries()) {
    const field = replayDifference(parsed)
    if (!field) continue
    throw new StepError(`session ${i} to derive the same history once its log is read again`, describeDifference(field))
  }
  const once = normalizeSessionLogs(
    logs.map(({ text }) => text),
    volatile,
  )
  const twice = normalizeSessionLogs(once, volatile)
  for (const [i, text] of once.entries()) {
    const line = firstDifferingLine(text, twice[i] ?? '')
    if (line === undefined) continue
    throw new StepError(`the normalised log of session ${i} to normalise to itself`, `another line ${line}`)
  }
}

function firstDifferingLine(a: string, b: string): number | undefined {
  if (a === b) return undefined
  const [before, after] = [a.split('\n'), b.split('\n')]
  return before.findIndex((line, i) => line !== after[i]) + 1
}
