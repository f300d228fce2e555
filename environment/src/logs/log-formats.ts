import { acpSnapshotLogs } from './acp-snapshot.ts'
import type { LogFormat } from './log-format.ts'
import { importFormat } from './log-module.ts'
import { noLogs } from './none.ts'

/**
 * The format of an agent's session logs.
 *
 * @param sessionLogs as in `testEnvironmentOptions.acp`: `true` for that of `packages/session`, `false` for none, or the path of a module
 * @throws UsageError for a module that cannot be used
 */
export async function loadLogFormat(sessionLogs: boolean | string): Promise<LogFormat> {
  return typeof sessionLogs === 'string' ? importFormat(sessionLogs) : builtInFormat(sessionLogs)
}

/** The same without loading a module. @throws Error for the path of a module */
export function builtInFormat(sessionLogs: boolean | string): LogFormat {
  if (typeof sessionLogs === 'string') throw new Error(`the log format of ${sessionLogs} was not loaded`)
  return sessionLogs ? acpSnapshotLogs : noLogs
}
