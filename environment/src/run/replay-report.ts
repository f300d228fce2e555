import { dirname } from 'node:path'
import { parseReplayReport, type ReplayEntry, type ReplayReportLine } from '@acp-snapshot/session'
import { readRegularText } from '../io/regular-file.ts'
import { count } from '../scenario/fault.ts'

/**
 * What went wrong with the replay, whatever the agent made of it: calls that the script does not hold, and entries that
 * were never asked for.
 *
 * @param scripts the entries of each session, by ordinal
 */
export function replayProblems(report: string, scripts: readonly (readonly ReplayEntry[])[]): string[] {
  const lines = readReport(report)
  const unused = scripts.flatMap((script, session) => {
    const served = lines.filter((line) => line.type === 'served' && line.session === session)
    const last = served.at(-1)
    if (served.length >= script.length) return []
    const since = last?.type === 'served' ? `after turn ${last.turn} step ${last.step}` : 'in the whole run'
    const wanted = `session ${session} has ${count(script.length, 'model call')} in its script, the agent made ${served.length}`
    return [`${wanted}: entry ${served.length + 1} was never asked for ${since}`]
  })
  return [...failures(lines), ...unused]
}

/** What `llm-replay` reported as failed, for a run that failed otherwise. A report that cannot be read says nothing here. */
export function replayFailures(report: string): string[] {
  try {
    return failures(readReport(report))
  } catch {
    return []
  }
}

/** A line is some hundred bytes: `llm-replay` writes no longer report. */
const MAX_BYTES = 64 * 1024 * 1024

/** The agent knows the path, and may have put anything there. A run without a model call has no report. */
function readReport(report: string): ReplayReportLine[] {
  const text = readRegularText(report, { maxBytes: MAX_BYTES, within: dirname(report) })
  return text === undefined ? [] : parseReplayReport(text)
}

function failures(lines: readonly ReplayReportLine[]): string[] {
  return lines.flatMap((line) => (line.type === 'failed' ? [line.message] : []))
}
