import { type Json, printJson, valueAt } from '../json.ts'
import { textAt } from '../streamed-text.ts'

/** A request of the client that opened a session again. Its response does not name the session. */
export interface OpenedSession {
  readonly id: string | number
  readonly sessionId: string
}

/**
 * The rule `unordered`: an update of these kinds follows the response that opened its session in the same process, in the
 * order of the kinds. Without such a response it stays.
 *
 * @param kinds of updates, or methods of other notifications
 * @returns the indices of the frames, in the new order
 */
export function unorderedLast(
  frames: readonly Json[],
  kinds: readonly string[],
  opened: readonly OpenedSession[],
): number[] {
  const requests = new Map(opened.map(({ id, sessionId }) => [JSON.stringify(id), sessionId]))
  const openings = openingsOf(frames, requests)
  const moved = new Map<number, { at: number; rank: number }[]>()
  const places = frames.map((frame, at) => {
    const rank = kinds.indexOf(kindOf(frame) ?? '')
    const session = rank === -1 ? undefined : textAt(frame, ['params', 'sessionId'])
    const place = session === undefined ? undefined : openings[at]?.get(session)
    if (place === undefined) return false
    moved.set(place, [...(moved.get(place) ?? []), { at, rank }])
    return true
  })
  return frames.flatMap((_, at) => {
    const followers = (moved.get(at) ?? []).sort((a, b) => a.rank - b.rank || a.at - b.at)
    return [...(places[at] ? [] : [at]), ...followers.map(({ at }) => at)]
  })
}

/** What `unordered` names: the kind of an update, or the method of another notification. */
export function kindOf(frame: Json): string | undefined {
  if (valueAt(frame, 'id')) return undefined
  return textAt(frame, ['params', 'update', 'sessionUpdate']) ?? textAt(frame, ['method'])
}

function openedBy(frame: Json, requests: ReadonlyMap<string, string>): string | undefined {
  const id = valueAt(frame, 'id')
  if (!id || valueAt(frame, 'method') || !valueAt(frame, 'result')) return undefined
  return textAt(frame, ['result', 'sessionId']) ?? requests.get(printJson(id))
}

/** For each frame, the first responses that opened the sessions of its process. */
function openingsOf(
  frames: readonly Json[],
  requests: ReadonlyMap<string, string>,
): readonly ReadonlyMap<string, number>[] {
  let ofProcess = new Map<string, number>()
  return frames.map((frame, at) => {
    if (isGreeting(frame)) ofProcess = new Map()
    const session = openedBy(frame, requests)
    if (session !== undefined && !ofProcess.has(session)) ofProcess.set(session, at)
    return ofProcess
  })
}

/** Whether a frame answers `initialize`: a process sends it first. */
function isGreeting(frame: Json): boolean {
  const result = valueAt(frame, 'method') ? undefined : valueAt(frame, 'result')
  return result !== undefined && valueAt(result, 'protocolVersion') !== undefined
}
