import {
  deriveReplayScript,
  describeDifference,
  isEvent,
  type ParsedLog,
  parseSessionLog,
  ReplayScriptError,
  replayDifference,
  type SessionHeader,
  SessionLogError,
} from '@acp-snapshot/session'
import { normalizeSessionLogs } from 'jest-serializer-acp'
import { problemOf } from '../scenario/report-fault.ts'
import { argumentsProblems } from './arguments-depth.ts'
import { type Log, type LogFormat, LogFormatError, type ReportLine, type ToldHeader } from './log-format.ts'

/** The format of `packages/session`: a header, then one event per line. */
export const acpSnapshotLogs: LogFormat = {
  exists: true,
  extension: 'jsonl',
  headerLines: 1,
  noSession: '{"type":"session","version":0,"id":"{{sessionId}}","createdAt":0,"cwd":"{{cwd}}"}\n',
  isLog: (path) => path.endsWith('.jsonl'),
  parse: (text) => describeLog(parse(text)),
  // Everything except the header.
  hasEvents: (text) => text.trimEnd().includes('\n'),
  normalize: normalizeSessionLogs,
  describeLine,
}

const FILE = 'session log'

function parse(text: string): ParsedLog {
  try {
    return parseSessionLog(text, FILE)
  } catch (error) {
    if (!(error instanceof SessionLogError)) throw error
    throw new LogFormatError(problemOf(error, `${FILE}:${error.line}`), error.line)
  }
}

function describeLog(parsed: ParsedLog): Log {
  const { header, events } = parsed
  return {
    id: header.id,
    parent: header.parentSession,
    createdAt: header.createdAt,
    told: toldHeaders(parsed),
    holdsModel: events.some((event) => isEvent(event, 'step/start') || isEvent(event, 'assistant/chunk')),
    checkModel: (isServed, report) => {
      if (isServed) checkScript(parsed, report)
      for (const { problem, line } of argumentsProblems(parsed)) report(problem, line)
    },
    checkTokens: (data, report) => {
      checkSessionTokens(header, data, (message) => report(message, 1))
      checkHeaderTokens(parsed, report)
    },
    invariantProblem: () => {
      const field = replayDifference(parsed)
      return field && { expected: 'derive the same history once its log is read again', got: describeDifference(field) }
    },
  }
}

function toldHeaders({ events }: ParsedLog): ToldHeader[] {
  return events.flatMap((event) => {
    if (!isEvent(event, 'request/header')) return []
    const { system, tools } = event.data.header
    return [{ place: `seq ${event.seq}`, system, tools }]
  })
}

/** Checks that the model's part is a script that `llm-replay` can serve. */
function checkScript(parsed: ParsedLog, report: ReportLine): void {
  try {
    deriveReplayScript(parsed, FILE)
  } catch (error) {
    if (!(error instanceof ReplayScriptError)) throw error
    report(problemOf(error, error.line === undefined ? FILE : `${FILE}:${error.line}`), error.line)
  }
}

const SESSION_ID = /^\{\{sessionId(?:\.[1-9]\d*)?\}\}$/
const CWD = /^\{\{cwd\}\}(?:\/|$)/

function checkSessionTokens(
  { id, cwd, parentSession }: SessionHeader,
  data: readonly string[],
  report: (message: string) => void,
): void {
  if (!SESSION_ID.test(id)) report(changes('id', '{{sessionId}} or {{sessionId.2}} …'))
  const isData = data.some((path) => cwd === path || cwd?.startsWith(`${path}/`))
  if (cwd !== undefined && !CWD.test(cwd) && !isData) report(changes('cwd', '{{cwd}}'))
  if (parentSession !== undefined && !SESSION_ID.test(parentSession)) {
    report(changes('parentSession', '{{sessionId}} or {{sessionId.2}} …'))
  }
}

function changes(key: string, token: string): string {
  return `the session's ${key} changes on every run; use ${token}. REFRESH=1 rewrites it`
}

/** The system prompt and the tools are pinned once per header class, and are tokens in the logs. */
function checkHeaderTokens({ events }: ParsedLog, report: ReportLine): void {
  for (const event of events) {
    if (!isEvent(event, 'request/header')) continue
    const { system, tools } = event.data.header
    if (system !== undefined && system !== '{{system}}') report(unscrubbed('system'), event.seq + 2)
    if (tools !== undefined && tools !== '{{tools}}') report(unscrubbed('tools'), event.seq + 2)
  }
}

function unscrubbed(key: string): string {
  return (
    `request/header holds its ${key} itself; a log has {{${key}}} there, ` +
    `and the scenario that pins the header class holds the text. REFRESH=1 rewrites it`
  )
}

function describeLine(line: string): string | undefined {
  const { type, data } = record(JSON.parse(line))
  if (typeof type !== 'string') return undefined
  const { turn, step } = record(data)
  const where = [type, ...(turn === undefined ? [] : [`turn ${turn}`]), ...(step === undefined ? [] : [`step ${step}`])]
  return where.join(', ')
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
