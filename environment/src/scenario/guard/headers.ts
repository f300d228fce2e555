import { isEvent, type ParsedLog, type SessionHeader } from '@acp-snapshot/session'
import { SYSTEM_PIN, TOOLS_PIN } from '../files.ts'
import type { Report } from './report.ts'

const SESSION_ID = /^\{\{sessionId(?:\.[1-9]\d*)?\}\}$/
const CWD = /^\{\{cwd\}\}(?:\/|$)/

/**
 * Checks that the logs hold tokens where every run has another value, and where the pins of a header class hold the text.
 *
 * @param data paths that somebody chose: a session may be made in one
 */
export function checkHeaders(logs: ReadonlyMap<string, ParsedLog>, data: readonly string[], report: Report): void {
  for (const [path, log] of logs) {
    checkSession(log.header, data, (message) => report(path, message, 1))
    for (const event of log.events) {
      if (!isEvent(event, 'request/header')) continue
      const { system, tools } = event.data.header
      const line = event.seq + 2
      if (system !== undefined && system !== '{{system}}') report(path, unscrubbed('system', SYSTEM_PIN), line)
      if (tools !== undefined && tools !== '{{tools}}') report(path, unscrubbed('tools', TOOLS_PIN), line)
    }
  }
}

function checkSession(
  { id, cwd, parentSession }: SessionHeader,
  data: readonly string[],
  report: (message: string) => void,
): void {
  if (!SESSION_ID.test(id)) report(raw('id', '{{sessionId}} or {{sessionId.2}} …'))
  const isData = data.some((path) => cwd === path || cwd?.startsWith(`${path}/`))
  if (cwd !== undefined && !CWD.test(cwd) && !isData) report(raw('cwd', '{{cwd}}'))
  if (parentSession !== undefined && !SESSION_ID.test(parentSession)) {
    report(raw('parentSession', '{{sessionId}} or {{sessionId.2}} …'))
  }
}

function raw(key: string, token: string): string {
  return `the session's ${key} changes on every run; use ${token}. REFRESH=1 rewrites it`
}

function unscrubbed(key: string, pin: string): string {
  return (
    `request/header holds its ${key} itself; a log has {{${key}}} there, ` +
    `and the scenario that pins the header class has the text, in ${pin}. REFRESH=1 rewrites it`
  )
}
