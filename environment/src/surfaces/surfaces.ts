import type { Action } from '../action.cjs'
import { OVERRIDE } from '../scenario/files.ts'
import { headerPin } from './header-pin.ts'
import { sessionLogs } from './session-logs.ts'
import type { Surface } from './surface.ts'
import { transcript } from './transcript.ts'
import { workspace } from './workspace.ts'

/** All surfaces, in the order in which failures report them. */
export const surfaces: readonly Surface[] = [transcript, sessionLogs, headerPin, workspace]

/** The surface that a file belongs to. @param path in the scenario's directory, with `/` */
export function surfaceOf(path: string): Surface | undefined {
  return surfaces.find(({ files }) => files.has(path))
}

/** Whether an action overwrites a file without reading it. */
export function isWrittenAnew(path: string, action: Action): boolean {
  const { writtenBy = [], rewrittenBy = [] } = surfaceOf(path) ?? {}
  return writtenBy.includes(action) && !rewrittenBy.includes(action)
}

/** Whether a file may contain a stream in pieces. */
export function isStreamed(path: string): boolean {
  return path === OVERRIDE || surfaceOf(path)?.files.streamed === true
}
