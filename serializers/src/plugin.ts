import { type LogSet, normalizeSessionLogs } from './session-log.ts'
import { normalizeTranscript, type Transcript } from './transcript.ts'

/** Whether {@link serialize} can print this value. */
export function test(value: unknown): value is Transcript | LogSet {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false
  return value.kind === 'acp-transcript' || value.kind === 'acp-session-logs'
}

/**
 * Prints a {@link Transcript} as its normalised frames, one per line, and a {@link LogSet} as its normalised logs
 * with a blank line between them.
 *
 * @throws Error when a frame or a line of a log is not JSON, or nested too deeply
 */
export function serialize(value: Transcript | LogSet): string {
  if (value.kind === 'acp-transcript') return normalizeTranscript(value.frames, value.volatile).join('\n')
  return normalizeSessionLogs(value.logs, value.volatile).join('\n').trimEnd()
}

/** The pretty-format plugin. Jest's `snapshotSerializers` uses the module itself, and so the named exports. */
export default { test, serialize }
