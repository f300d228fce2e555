import type { Volatile } from 'jest-serializer-acp'
import { checkLogInvariants } from '../logs/check-invariants.ts'
import { type Log, type LogFormat, LogFormatError } from '../logs/log-format.ts'
import type { ReportFault } from '../scenario/report-fault.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { type ScenarioFiles, textOf } from '../scenario/tree.ts'
import { firstDifference } from './first-difference.ts'
import type { Mismatch } from './mismatch.ts'
import type { CheckedFixture, PrintedFiles, Surface } from './surface.ts'

/** The logs of a run, normalised, in the order of their sessions. */
interface NormalizedLogs {
  texts: readonly string[]
  format: LogFormat
  /** The project's rules, which apply to the logs of the fixture too. */
  rules: Volatile['rules']
}

/** The session logs that the agent wrote. A replay takes the model's answers from them. */
export const sessionLogs: Surface<NormalizedLogs> = {
  title: 'session logs',
  files: { label: 'session.jsonl (session.1.jsonl …)', has: (path) => NAME.test(path), streamed: true },
  writtenBy: ['refresh', 'record'],
  rewrittenBy: ['refresh'],
  createdWhenMissing: true,

  check(fixture, report) {
    checkNames(fixture, report)
    if (fixture.action === 'record' || !fixture.logFormat.exists) return
    checkPresence(fixture, report)
    for (const [path, log] of fixture.logs) {
      const ofLog = (message: string, line?: number) => report(path, message, line)
      log.checkModel?.(!fixture.input?.overridden, ofLog)
      if (fixture.action !== 'refresh') log.checkTokens?.(fixture.data, ofLog)
    }
  },

  collect({ logs, logFormat: format, volatile }) {
    checkLogInvariants(logs, format, volatile)
    const texts = logs.map(({ text }) => text)
    return { texts: format.normalize(texts, volatile), format, rules: volatile.rules }
  },

  print({ texts, format }) {
    const all = texts.length === 0 && format.noSession !== undefined ? [format.noSession] : texts
    return new Map(all.map((text, ordinal) => [logName(ordinal, format), text]))
  },

  compare({ texts, format, rules }, { scenario, expected }) {
    const files = inOrder(expected, format).filter(([, text]) => format.hasEvents(text))
    const before = format.normalize(
      files.map(([, text]) => text),
      { rules },
    )
    const now = texts.filter((text) => format.hasEvents(text))
    if (before.length !== now.length) return wrongCount(scenario, before.length, now.length)
    for (const [i, [file]] of files.entries()) {
      const [want = '', got = ''] = [before[i], now[i]]
      const difference = firstDifference(want, got)
      if (!difference) continue
      const line = want.split('\n')[difference.line]
      const described = line === undefined ? undefined : format.describeLine?.(line)
      return {
        headline: `the session log differs from ${file}`,
        first: { place: `${file}:${difference.line + 1}${described ? ` (${described})` : ''}`, difference },
        texts: { expected: want, got },
        showsStderr: true,
        next: next(scenario),
      }
    }
    return undefined
  },
}

const NAME = /^session(?:\.[1-9]\d*)?\.[A-Za-z]\w*$/

/** Reads the session logs that can be read, by path, in the order of their sessions. */
export function readLogs(files: ScenarioFiles['files'], format: LogFormat, report: ReportFault): Map<string, Log> {
  const logs = new Map<string, Log>()
  if (!format.exists) return logs
  for (const path of logPaths(files.keys(), format)) {
    const text = textOf(files, path)
    if (text === undefined) continue
    try {
      logs.set(path, format.parse(text))
    } catch (error) {
      if (!(error instanceof LogFormatError)) throw error
      report(path, error.message, error.line)
    }
  }
  return logs
}

/** The name of the log of the run's session `ordinal`, from 0: `session.jsonl`, `session.1.jsonl` … */
function logName(ordinal: number, { extension }: LogFormat): string {
  return ordinal === 0 ? `session.${extension}` : `session.${ordinal}.${extension}`
}

function logOrdinal(path: string): number {
  return Number(/^session\.(\d+)\./.exec(path)?.[1] ?? 0)
}

function logPaths(paths: Iterable<string>, format: LogFormat): string[] {
  return [...paths]
    .filter((path) => NAME.test(path) && path.endsWith(`.${format.extension}`))
    .sort((a, b) => logOrdinal(a) - logOrdinal(b))
}

function inOrder(files: PrintedFiles, format: LogFormat): [string, string][] {
  return logPaths(files.keys(), format).map((path) => [path, String(files.get(path))])
}

/** Checks that each log has the extension of its format. */
function checkNames({ present, logFormat }: CheckedFixture, report: ReportFault): void {
  const known = new Set(logPaths(present, logFormat))
  for (const path of present) {
    if (!sessionLogs.files.has(path)) continue
    if (!logFormat.exists)
      report(
        path,
        'not allowed here: testEnvironmentOptions.acp.sessionLogs is false; if the agent writes session logs, set it to true',
      )
    else if (!known.has(path))
      report(path, `not allowed here: the logs of this agent are named ${logName(0, logFormat)} …`)
  }
}

/** At most so many missing logs are reported: the last one may be named session.300000000.jsonl. */
const MOST_GAPS = 10

function checkPresence(fixture: CheckedFixture, report: ReportFault): void {
  const { present, logFormat, action, createsMissing, command } = fixture
  const ordinals = new Set(logPaths(present, logFormat).map(logOrdinal))
  const last = [...ordinals].reduce((most, ordinal) => Math.max(most, ordinal), 0)
  const isWritten = createsMissing || action === 'refresh'
  if (!ordinals.has(0) && logFormat.noSession !== undefined && !isWritten) {
    report(logName(0, logFormat), `is missing; ${flagForLog(fixture)}${command} writes it`)
  }
  let gaps = 0
  for (let i = 1; i < last && gaps < MOST_GAPS; i++) {
    if (ordinals.has(i)) continue
    gaps++
    const there = `${logName(last, logFormat)} is there, and logs are numbered without a gap`
    report(logName(i, logFormat), `is missing; ${there}`)
  }
}

/** The variable before the command that writes a missing log: none for a scenario that calls no model. */
function flagForLog({ input }: CheckedFixture): string {
  if (input?.overridden) return 'REFRESH=1 '
  const prompts = input?.steps.some(({ op }) => op.startsWith('prompt')) ?? true
  return prompts ? 'RECORD=1 ' : ''
}

function wrongCount(scenario: Scenario, expected: number, got: number): Mismatch {
  const headline = `expected ${expected} session logs with events, as the fixture has; got ${got}`
  return { headline, showsStderr: true, next: next(scenario) }
}

function next({ command, dir }: Scenario): string {
  return `If the agent's own behaviour changed on purpose: REFRESH=1 ${command(dir)}`
}
