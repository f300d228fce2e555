import type * as z from 'zod'
import { failure, type ToolCall, type ToolOutcome } from './call.ts'

/** Valid arguments, or the outcome that tells the model what to fix. */
type ParsedArguments<Args> = { ok: true; args: Args } | { ok: false; outcome: ToolOutcome }

/** Parses the model's argument string, and validates it against the tool's parameters. */
export function parseArguments<Args>(call: ToolCall, parameters: z.ZodType<Args>): ParsedArguments<Args> {
  const json = readJson(call.arguments)
  if (!json.ok) return { ok: false, outcome: badJson(call) }
  const result = parameters.safeParse(json.value)
  if (!result.success) return { ok: false, outcome: badArguments(call, result.error.issues) }
  return { ok: true, args: result.data }
}

/** Parses JSON without throwing. */
export function readJson(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false }
  }
}

/** The text leaves out the parser's own message, which differs between Node versions: goldens contain this text. */
function badJson(call: ToolCall): ToolOutcome {
  return failure('BAD_JSON', `The arguments of ${call.name} are not valid JSON. Call it again with one JSON object.`)
}

function badArguments(call: ToolCall, issues: readonly z.core.$ZodIssue[]): ToolOutcome {
  const list = issues.map((issue) => `- ${where(issue)}${issue.message}`).join('\n')
  return failure('BAD_ARGUMENTS', `The arguments of ${call.name} are invalid:\n${list}\nFix them and call it again.`)
}

function where(issue: z.core.$ZodIssue): string {
  return issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
}
