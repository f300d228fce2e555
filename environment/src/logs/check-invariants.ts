import type { Volatile } from 'jest-serializer-acp'
import { StepError } from '../scenario-error.ts'
import type { LogFormat } from './log-format.ts'
import type { HarvestedLog } from './order-logs.ts'

/**
 * Checks the replay invariant for the logs of a run: a log that is read into a new session derives the same messages,
 * and a normalised log normalises to itself.
 *
 * @throws StepError that says which log does not, and where
 */
export function checkLogInvariants(logs: readonly HarvestedLog[], format: LogFormat, volatile: Volatile): void {
  for (const [i, { log }] of logs.entries()) {
    const problem = log.invariantProblem?.()
    if (problem) throw new StepError(`session ${i} to ${problem.expected}`, problem.got)
  }
  const once = format.normalize(
    logs.map(({ text }) => text),
    volatile,
  )
  const twice = format.normalize(once, volatile)
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
