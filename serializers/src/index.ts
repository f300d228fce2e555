export { normalizeText } from './plain-text.ts'
export { type LogSet, normalizeSessionLogs } from './session-log.ts'
export { normalizeTranscript, type Transcript } from './transcript.ts'
export type { KnownPaths, Volatile } from './volatile.ts'
