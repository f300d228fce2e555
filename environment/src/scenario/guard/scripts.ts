import {
  deriveReplayScript,
  type ParsedLog,
  parseOverride,
  type ReplayEntry,
  ReplayScriptError,
} from '@acp-snapshot/session'
import { OVERRIDE } from '../files.ts'
import type { ScenarioInput } from '../input.ts'
import { type ScenarioFiles, textOf } from '../tree.ts'
import { problemOf, type Report } from './report.ts'

/**
 * The model script of each session: the override, or what the logs derive.
 * When input.json cannot be read, an override that exists is used.
 */
export function readScripts(
  files: ScenarioFiles['files'],
  logs: ReadonlyMap<string, ParsedLog>,
  input: ScenarioInput | undefined,
  report: Report,
): ReplayEntry[][] {
  const text = textOf(files, OVERRIDE)
  const override = text === undefined ? [] : attempt(OVERRIDE, report, () => parseOverride(text, OVERRIDE))
  if (input?.overridden ?? files.has(OVERRIDE)) return override ?? []
  return [...logs].map(([path, log]) => attempt(path, report, () => deriveReplayScript(log, path)) ?? [])
}

function attempt<T>(path: string, report: Report, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ReplayScriptError)) throw error
    report(path, problemOf(error, error.line === undefined ? path : `${path}:${error.line}`), error.line)
    return undefined
  }
}
