import { overrideSchema, parseOverride, type ReplayEntry, ReplayScriptError } from '@acp-snapshot/session'
import { OVERRIDE } from '../scenario/files.ts'
import { problemOf, type ReportFault } from '../scenario/report-fault.ts'
import { entryArgumentsProblems } from './arguments-depth.ts'

export { overrideSchema }

/** Checks that an override is a script that `llm-replay` can serve. @returns how many model calls it serves */
export function checkOverride(text: string, report: ReportFault): number {
  const entries = readEntries(text, report).flat()
  for (const problem of entryArgumentsProblems(entries)) report(OVERRIDE, problem)
  return entries.length
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
