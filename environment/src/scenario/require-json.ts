import { parseJsonText } from '@acp-snapshot/json-text'
import type { ReportFault } from './report-fault.ts'

/** Checks that a text is JSON. The message quotes at most one character, because the text may contain a secret. */
export function requireJson(path: string, text: string, report: ReportFault): boolean {
  const read = parseJsonText(text)
  if (!('problem' in read)) return true
  report(path, read.problem, read.line, read.column)
  return false
}

/** The message for a file that needs a flag of `input.json`. */
export function forbiddenWithout(flag: string): string {
  return `not allowed here: input.json does not say ${JSON.stringify(flag)}: true`
}
