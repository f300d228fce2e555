import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deriveReplayScript, parseOverride, parseSessionLog, type ReplayEntry } from '@acp-snapshot/session'

/** The model scripts of a scenario, and the file that each comes from, by the session's ordinal. */
export interface Scripts {
  readonly entries: readonly (readonly ReplayEntry[])[]
  /** What to call the source of a session's script in an error. */
  source(session: number): string
}

/**
 * Reads a scenario's model scripts: `replay.override.json` where there is one, and then nothing else;
 * else one script a log, `session.jsonl`, `session.1.jsonl` and so on: none in a new scenario, which may call no model.
 *
 * @throws Error naming the file that is missing or broken
 */
export function readScripts(fixture: string): Scripts {
  const override = join(fixture, 'replay.override.json')
  if (existsSync(override)) {
    return { entries: parseOverride(readFileSync(override, 'utf8'), override), source: () => override }
  }
  const files = logNames(fixture).map((name) => join(fixture, name))
  const missing = files.length === 0 ? ' (which does not exist: RECORD=1 records the scenario)' : ''
  return {
    entries: files.map((file) => deriveReplayScript(parseSessionLog(readFileSync(file, 'utf8'), file).events, file)),
    source: (session) => files[session] ?? `${join(fixture, logName(session))}${missing}`,
  }
}

function logNames(fixture: string): string[] {
  if (!existsSync(fixture)) throw new Error(`${fixture} does not exist`)
  const present = new Set(readdirSync(fixture))
  const names: string[] = []
  while (present.has(logName(names.length))) names.push(logName(names.length))
  return names
}

function logName(session: number): string {
  return session === 0 ? 'session.jsonl' : `session.${session}.jsonl`
}
