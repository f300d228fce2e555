import { dirname } from 'node:path'
import { parseReplayReport, type ReplayReportLine } from '@acp-snapshot/session'
import { readRegularText } from '../io/regular-file.ts'
import { count } from '../scenario/fault.ts'

/**
 * The problems of the replay, even if the agent hides them: calls without an entry in the script, and entries without a
 * call.
 *
 * @param isRecorded whether the fixture holds answers of the model, so that a replay must have been reported
 */
export function replayProblems(report: string, { isRecorded }: { isRecorded: boolean }): string[] {
  const lines = readReport(report)
  const scripts = lines.filter((line) => line.type === 'script')
  if (isRecorded && scripts.length === 0) return [...failures(lines), NOT_REPORTED]
  return [...failures(lines), ...scripts.flatMap((script) => unserved(script, lines))]
}

const NOT_REPORTED =
  'the fixture holds answers of the model, and the agent reported no replay of them. ' +
  'Start it with llm-replay in place of its model, and give llm-replay {{fixture}} and {{report}}'

/** The entries of a script that no call used. */
function unserved({ session, entries }: LineOf<'script'>, lines: readonly ReplayReportLine[]): string[] {
  const served = lines.filter((line) => line.type === 'served').filter((line) => line.session === session)
  const last = served.at(-1)
  if (served.length >= entries) return []
  const since = last ? `after turn ${last.turn} step ${last.step}` : 'in the whole run'
  const wanted = `session ${session} has ${count(entries, 'model call')} in its script, the agent made ${served.length}`
  return [`${wanted}: entry ${served.length + 1} was not requested ${since}`]
}

type LineOf<Type extends ReplayReportLine['type']> = Extract<ReplayReportLine, { type: Type }>

/** The failures that `llm-replay` reported, for a run that failed for another reason. An unreadable report has none. */
export function replayFailures(report: string): string[] {
  try {
    return failures(readReport(report))
  } catch {
    return []
  }
}

/** Far more than `llm-replay` writes: a line has some hundred bytes. */
const MAX_BYTES = 64 * 1024 * 1024

/** The agent knows the path and could write anything to it. A run without a model call has no report. */
function readReport(report: string): ReplayReportLine[] {
  const text = readRegularText(report, { maxBytes: MAX_BYTES, within: dirname(report) })
  return text === undefined ? [] : parseReplayReport(text)
}

function failures(lines: readonly ReplayReportLine[]): string[] {
  return lines.flatMap((line) => (line.type === 'failed' ? [line.message] : []))
}
