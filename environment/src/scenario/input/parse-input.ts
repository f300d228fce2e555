import { parseJsonText } from '@acp-snapshot/json-text'
import { FixtureError, type FixtureFault } from '../fault.ts'
import { checkPermissions, checkSequence } from './check-sequence.ts'
import { describeIssue } from './describe-issue.ts'
import { inputSchema, type ScenarioInput } from './input-schema.ts'
import { type Step, stepSchema } from './step-schema.ts'

export type { Permission, ScriptedAnswer } from './answer-schema.ts'
export type { ScenarioInput } from './input-schema.ts'
export type { Step, StepOf } from './step-schema.ts'

/**
 * Reads `input.json`: the script of a scenario, and what the scenario is.
 * Keys that the text leaves out have their defaults in the result.
 *
 * Steps that depend on each other are checked up to the first step that cannot be read; later steps are not checked.
 *
 * @param file names the file in errors
 * @throws FixtureError that holds every fault of the file
 */
export function parseInput(text: string, file: string): ScenarioInput {
  const read = parseJsonText(text)
  if ('problem' in read) {
    throw new FixtureError([{ file, line: read.line, column: read.column, message: read.problem }])
  }
  const { value } = read
  const result = inputSchema.safeParse(value)
  const { steps, complete } = leadingSteps(value)
  const faults: FixtureFault[] = [
    ...(result.error?.issues ?? []).flatMap((issue) => describeIssue(issue, value)),
    ...checkSequence(steps, complete),
    ...(result.success ? checkPermissions(result.data.permissions, steps) : []),
  ].map((message) => ({ file, message }))
  if (!result.success || faults.length > 0) throw new FixtureError(faults)
  return result.data
}

/** The steps before the first one that cannot be read, and whether these are all. */
function leadingSteps(value: unknown): { steps: Step[]; complete: boolean } {
  if (typeof value !== 'object' || value === null || !('steps' in value) || !Array.isArray(value.steps)) {
    return { steps: [], complete: false }
  }
  const steps: Step[] = []
  for (const raw of value.steps) {
    const result = stepSchema.safeParse(raw)
    if (!result.success) return { steps, complete: false }
    steps.push(result.data)
  }
  return { steps, complete: true }
}
