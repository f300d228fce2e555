import { type ParsedLog, parseSessionLog, SessionLogError } from '@acp-snapshot/session'
import { logOrdinal, roleOf } from '../files.ts'
import { type ScenarioFiles, textOf } from '../tree.ts'
import { problemOf, type Report } from './report.ts'

/** Reads the session logs that can be read, by path, in the order of their sessions. */
export function readLogs(files: ScenarioFiles['files'], report: Report): Map<string, ParsedLog> {
  const paths = [...files.keys()].filter((path) => roleOf(path) === 'log')
  const logs = new Map<string, ParsedLog>()
  for (const path of paths.sort((a, b) => logOrdinal(a) - logOrdinal(b))) {
    const text = textOf(files, path)
    if (text === undefined) continue
    try {
      logs.set(path, parseSessionLog(text, path))
    } catch (error) {
      if (!(error instanceof SessionLogError)) throw error
      report(path, problemOf(error, `${path}:${error.line}`), error.line)
    }
  }
  return logs
}
