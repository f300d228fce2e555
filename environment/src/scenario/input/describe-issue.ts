import type * as z from 'zod'
import { inBrief } from '../fault.ts'
import { inputKeys } from './input-schema.ts'
import { stepKeys } from './step-schema.ts'
import { suggest } from './suggest.ts'

type Issue = z.core.$ZodIssue

/**
 * Describes a fault that the schema found, for the author of the file: `step 3: unknown op "promt"; did you mean "prompt"?`.
 *
 * @param value the parsed `input.json`
 */
export function describeIssue(issue: Issue, value: unknown): string[] {
  const [top, index, ...rest] = issue.path
  if (top !== 'steps' || typeof index !== 'number') return problems(issue, at(value, issue.path), issue.path, inputKeys)
  const op = at(value, ['steps', index, 'op'])
  const keys = stepKeys.get(op)
  return problems(issue, at(value, issue.path), rest, keys ?? []).map(
    (problem) => `step ${index + 1}${keys ? ` (${op})` : ''}: ${problem}`,
  )
}

function problems(issue: Issue, got: unknown, path: readonly PropertyKey[], keys: readonly string[]): string[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(key, keys))
  if (issue.code === 'invalid_union' && issue.discriminator === 'op') return [wrongOp(got)]
  if (got === undefined) return [`missing key ${printPath(path)}`]
  const what = issue.code === 'invalid_type' ? `expected ${issue.expected}, got ${typeOf(got)}` : issue.message
  return [path.length === 0 ? what : `${printPath(path)}: ${what}`]
}

function unknownKey(key: string, keys: readonly string[]): string {
  const allowed = keys.length === 0 ? 'this step has no other key than "op"' : `the known keys are: ${keys.join(', ')}`
  const hint = suggest(key, keys)
  return `unknown key ${quote(key)}${hint === '' ? `; ${allowed}` : `${hint} (${allowed})`}`
}

function wrongOp(op: unknown): string {
  const ops = [...stepKeys.keys()].map(String)
  const list = `the ops are: ${ops.join(', ')}`
  if (op === undefined) return `missing key "op"; ${list}`
  return `unknown op ${quote(op)}${(typeof op === 'string' && suggest(op, ops)) || `; ${list}`}`
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null) return undefined
    found = (found as Record<PropertyKey, unknown>)[key]
  }
  return found
}

/** `"permissions[0].kind"`, in quotes. */
function printPath(path: readonly PropertyKey[]): string {
  const steps = path.map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${String(key)}`))
  return quote(steps.join(''))
}

function quote(value: unknown): string {
  return inBrief(JSON.stringify(value), 100)
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
