import { overrideSchema, parseOverride, type ReplayEntry, ReplayScriptError } from '@acp-snapshot/session'
import { OVERRIDE } from '../scenario/files.ts'
import { problemOf, type ReportFault } from '../scenario/report-fault.ts'
import { entryArgumentsProblems } from './arguments-depth.ts'

export { overrideSchema }

/** Checks that an override is a script that `llm-replay` can serve. */
export function checkOverride(text: string, report: ReportFault): void {
  for (const problem of entryArgumentsProblems(readEntries(text, report).flat())) report(OVERRIDE, problem)
}

function readEntries(text: string, report: ReportFault): ReplayEntry[][] {
  try {
    return parseOverride(text, OVERRIDE)
  } catch (error) {
    if (!(error instanceof ReplayScriptError)) throw error
    report(OVERRIDE, problemOf(error, OVERRIDE))
    return []
  }
}
