import { FixtureError } from './scenario/fault.ts'
import { ScenarioError } from './scenario-error.ts'
import { UsageError } from './usage-error.ts'

/** Whether an error's message is complete for the person who reads it, so that a stack would only hide it. */
export function isForReaders(error: unknown): error is Error {
  return [ScenarioError, FixtureError, UsageError].some((kind) => error instanceof kind)
}
