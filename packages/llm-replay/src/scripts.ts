import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deriveReplayScript, parseOverride, parseSessionLog, type ReplayEntry } from '@acp-snapshot/session'

/** The model scripts of a scenario, and the file that each comes from, by the session's ordinal. */
export interface Scripts {
  readonly entries: readonly (readonly ReplayEntry[])[]
  /** What to say of a call that a session's script does not hold: the file, how many it holds, and what to do. */
  lacks(session: number): string
}

/**
 * Reads a scenario's model scripts: `replay.override.json` where there is one, and then nothing else;
 * else one script a log, `session.jsonl`, `session.1.jsonl` and so on. A scenario that has no log yet has no script:
 * it can be run as long as it calls no model.
 *
 * @throws Error naming the file that is broken
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
