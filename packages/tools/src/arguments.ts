import type * as z from 'zod'
import type { ToolCall, ToolOutcome } from './call.ts'
import { failure } from './outcome.ts'

/** Arguments that fit, or the outcome that tells the model what to fix. */
type ParsedArguments<Args> = { ok: true; args: Args } | { ok: false; outcome: ToolOutcome }

/** Reads the model's argument string, and checks it against the tool's parameters. */
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

/** Leaves out the parser's own message: it differs between Node versions, and this text stands in goldens. */
function badJson(call: ToolCall): ToolOutcome {
  return failure('BAD_JSON', `The arguments of ${call.name} are not JSON. Call it again with one JSON object.`)
}

function badArguments(call: ToolCall, issues: readonly z.core.$ZodIssue[]): ToolOutcome {
  const list = issues.map((issue) => `- ${where(issue)}${issue.message}`).join('\n')
  return failure(
    'BAD_ARGUMENTS',
    `The arguments of ${call.name} do not fit:\n${list}\nCall it again with these mended.`,
  )
}

function where(issue: z.core.$ZodIssue): string {
  return issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
}
