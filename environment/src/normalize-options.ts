import { type RuleProblem, ruleProblems } from 'jest-serializer-acp'
import * as z from 'zod'
import { suggest } from './scenario/input/suggest.ts'

const names = z.array(z.string())

/** A rule of a project's own. */
const added = z.strictObject({
  name: z.string().min(1),
  token: z.string(),
  match: z.string('must be a string: the Jest config reaches its workers as JSON').optional(),
  flags: z.string().optional(),
  at: z.string().optional(),
  number: z.boolean().optional(),
})

/** `testEnvironmentOptions.acp.normalize`. `docs/normalizing.md` explains each key. */
export const normalizeSchema = z
  .strictObject({
    /** Built-in rules that do not apply. */
    off: names.optional(),
    /** Built-in rules that apply although they are off by default. */
    on: names.optional(),
    /** The project's own rules. */
    add: z.array(added).optional(),
    /** Kinds of updates that may come at any time. */
    unordered: names.optional(),
  })
  .superRefine((rules, { addIssue }) => {
    for (const problem of ruleProblems(rules)) {
      addIssue({ code: 'custom', path: pathOf(problem), message: printProblem(problem) })
    }
  })

/** The known keys at a path below `normalize`. */
export function normalizeKeys(path: readonly PropertyKey[]): string[] {
  return Object.keys(path[0] === 'add' ? added.shape : normalizeSchema.shape)
}

function pathOf({ at }: RuleProblem): PropertyKey[] {
  return at.split(/[.[\]]+/).filter((key) => key !== '')
}

function printProblem({ problem, unknown }: RuleProblem): string {
  if (!unknown) return problem
  return `${problem}${suggest(unknown.written, unknown.known) || `; the rules are: ${unknown.known.join(', ')}`}`
}
