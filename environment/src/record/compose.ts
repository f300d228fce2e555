import { normalizeSessionLogs } from 'jest-serializer-acp'
import type { ScenarioRun } from '../run/run-scenario.ts'
import { GOLDEN, logName, SYSTEM_PIN, TOOLS_PIN } from '../scenario/files.ts'

/** The log of a scenario in which no session was made. */
const NO_SESSION = '{"type":"session","version":0,"id":"{{sessionId}}","createdAt":0,"cwd":"{{cwd}}"}\n'

/**
 * What a run makes of the scenario's fixture: the logs, the golden, and the header's pin where the scenario is the one
 * that pins it. A log that the run has no session for any more is to be removed (`undefined`).
 *
 * @param golden the text of the transcript
 * @param sessionLogs whether the agent persists logs; else the fixture has none
 */
export function composeFixture(run: ScenarioRun, golden: string, sessionLogs = true): Map<string, string | undefined> {
  const logs = normalizeSessionLogs(run.logs.logs, run.logs.volatile)
  const files = new Map<string, string | undefined>([[GOLDEN, golden]])
  const missing = sessionLogs ? [NO_SESSION] : []
  for (const [i, log] of (logs.length > 0 ? logs : missing).entries()) files.set(logName(i), log)
  for (const { file } of run.scenario.logs) if (!files.has(file)) files.set(file, undefined)
  if (run.scenario.input.pinsHeader) {
    const pin = run.pins[0]
    files.set(SYSTEM_PIN, pin?.system)
    files.set(TOOLS_PIN, pin?.tools)
  }
  return files
}
