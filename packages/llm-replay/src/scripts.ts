import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deriveReplayScript, parseOverride, parseSessionLog, type ReplayEntry } from '@acp-snapshot/session'

/** The model scripts of a scenario, by the ordinal of the session, and a description of what is missing. */
export interface Scripts {
  readonly entries: readonly (readonly ReplayEntry[])[]
  /**
   * The error text for a call that has no entry in a session's script: the file, how many entries it has, and what to
   * do.
   */
  lacks(session: number): string
}

/**
 * Reads the model scripts of a scenario. If there is a `replay.override.json`, it is the only source. Otherwise each
 * log gives one script: `session.jsonl`, `session.1.jsonl` and so on. A scenario without a log has no script; it can
 * run as long as its agent does not call the model.
 *
 * @throws Error that names the file that cannot be served
 */
export function readScripts(fixture: string): Scripts {
  const override = join(fixture, 'replay.override.json')
  if (existsSync(override)) {
    const entries = parseOverride(readFileSync(override, 'utf8'), override)
    return { entries, lacks: (session) => holds(override, entries[session]) }
  }
  const files = logNames(fixture).map((name) => join(fixture, name))
  const entries = files.map((file) => deriveReplayScript(parseSessionLog(readFileSync(file, 'utf8'), file), file))
  return {
    entries,
    lacks: (session) => {
      const file = files[session]
      if (file !== undefined) return holds(file, entries[session])
      return `${join(fixture, logName(session))} is missing; record the scenario with RECORD=1`
    },
  }
}

function holds(file: string, script: readonly ReplayEntry[] = []): string {
  return `${file} holds ${script.length}. Record the scenario again if the agent now makes more calls on purpose`
}

function logNames(fixture: string): string[] {
  const present = new Set(existsSync(fixture) ? readdirSync(fixture) : [])
  const names: string[] = []
  while (present.has(logName(names.length))) names.push(logName(names.length))
  return names
}

function logName(session: number): string {
  return session === 0 ? 'session.jsonl' : `session.${session}.jsonl`
}
