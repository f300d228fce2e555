import { type ClientMessage, isId, isObject, type JsonObject, requestOf, sessionsOf } from './frame-sessions.ts'
import type { RpcId } from './rpc-ids.ts'

/** A frame of the agent, and how many messages the client had sent when it came. */
export interface ArrivedFrame {
  readonly text: string
  readonly sent: number
}

/**
 * The order in which a golden has the frames: that of their arrival, but that sessions which run at once do not mix.
 * Which of two sessions is served first is a matter of timing; so a session's frames stand where the message of the
 * client stands that caused them, and two sessions never share one.
 *
 * Within a session the order of arrival is kept, and so it is throughout where only one session was made. A frame of no
 * session stays behind the frame after which it came.
 *
 * @returns the indices of `frames`, in the golden's order
 */
export function canonicalOrder(frames: readonly ArrivedFrame[], sent: readonly ClientMessage[]): number[] {
  const order = frames.map((_, i) => i)
  if (sent.filter(({ method }) => method === 'session/new').length < 2) return order
  const causes = causesOf(
    frames.map(({ text }) => parse(text)),
    frames,
    sent,
  )
  return order.sort((a, b) => (causes[a] ?? 0) - (causes[b] ?? 0) || a - b)
}

/** What says something of a session, whatever the client has asked for. All else is a part of what it has asked for. */
const STATE_UPDATES: ReadonlySet<unknown> = new Set([
  'available_commands_update',
  'current_mode_update',
  'config_option_update',
  'session_info_update',
  'usage_update',
])

/** A request that a session has not answered yet; `at` is its place in what the client sent. */
interface Asked {
  at: number
  id: RpcId
}

interface Lane {
  /** The requests of the session, in the order sent. */
  asked: Asked[]
  /** How many of them, from the first, are answered. */
  done: number
  /** The cause of the session's last frame. */
  cause: number | undefined
}

/** The cause of each frame: a place in what the client sent. In a session it never goes back. */
function causesOf(
  values: readonly JsonObject[],
  frames: readonly ArrivedFrame[],
  sent: readonly ClientMessage[],
): number[] {
  const requests = new Map(sent.flatMap(({ id }, at) => (id === undefined ? [] : [[id, at] as const])))
  const sessions = sessionsOf(values, sent, requests)
  const lanes = lanesOf(sessions.ofRequests, sent)
  const answered = new Set<RpcId>()
  const causes: number[] = []
  /** What an agent's process says comes after the request with which it was greeted. */
  let greeted = 0
  for (const [i, value] of values.entries()) {
    const request = requestOf(value, requests)
    if (request !== undefined && sent[request]?.method === 'initialize') greeted = request
    const session = sessions.ofFrames[i]
    const lane = session === undefined ? undefined : lanes.get(session)
    let cause = request ?? causes[i - 1] ?? 0
    if (lane) {
      if (request === undefined) cause = causeInLane(value, lane, answered, frames[i]?.sent ?? 0)
      else cause = Math.max(request, cancelOf(value, request, session, sent, frames[i]?.sent ?? 0) ?? 0)
      cause = Math.max(cause, lane.cause ?? 0, greeted)
      lane.cause = cause
    }
    if (request !== undefined && isId(value.id)) answered.add(value.id)
    causes.push(cause)
  }
  return causes
}

/** A part of an answer belongs to the session's first request that waits for one; news of the session to what came last. */
function causeInLane(value: JsonObject, lane: Lane, answered: ReadonlySet<RpcId>, sent: number): number {
  if (isStateUpdate(value) && lane.cause !== undefined) return lane.cause
  while (lane.done < lane.asked.length && answered.has(lane.asked[lane.done]?.id ?? '')) lane.done++
  const waiting = lane.asked[lane.done]
  return waiting && waiting.at < sent ? waiting.at : (lane.cause ?? 0)
}

/** The message that made a prompt end as cancelled: its response cannot have come before. */
function cancelOf(
  { result }: JsonObject,
  request: number,
  session: string | undefined,
  sent: readonly ClientMessage[],
  until: number,
): number | undefined {
  if (!isObject(result) || result.stopReason !== 'cancelled') return undefined
  for (let at = request + 1; at < until; at++) {
    if (sent[at]?.method === 'session/cancel' && sent[at]?.sessionId === session) return at
  }
  return undefined
}

function lanesOf(sessions: readonly (string | undefined)[], sent: readonly ClientMessage[]): Map<string, Lane> {
  const lanes = new Map<string, Lane>()
  for (const [at, { id }] of sent.entries()) {
    const session = sessions[at]
    if (id === undefined || session === undefined) continue
    const lane: Lane = lanes.get(session) ?? { asked: [], done: 0, cause: undefined }
    lane.asked.push({ at, id })
    lanes.set(session, lane)
  }
  return lanes
}

function isStateUpdate({ params }: JsonObject): boolean {
  return isObject(params) && isObject(params.update) && STATE_UPDATES.has(params.update.sessionUpdate)
}

function parse(text: string): JsonObject {
  const value: unknown = JSON.parse(text)
  return isObject(value) ? value : {}
}
