import { type ClientMessage, isId, isObject, type JsonObject, requestOf, sessionsOf } from './frame-sessions.ts'
import type { RpcId } from './rpc-ids.ts'

/** A frame of the agent, and how many messages the client had sent when it arrived. */
export interface ArrivedFrame {
  readonly text: string
  readonly sent: number
}

/**
 * The order of frames in a golden: the order of arrival, except that the frames of concurrent sessions do not mix. Which
 * of two sessions is served first depends on timing. So each frame is placed by the client's message that caused it, and
 * every such message belongs to one session.
 *
 * Within a session, the order of arrival stays; with only one session it always stays. A frame without a session stays
 * behind the frame after which it arrived.
 *
 * @param frames in the order of arrival
 * @param sent all messages of the client, in the order sent
 * @returns the indices of `frames`, in the golden's order
 * @throws SyntaxError when there are several sessions and a frame is not JSON
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

/** Updates about the session itself. All others are part of the answer to a request of the client. */
const STATE_UPDATES: ReadonlySet<unknown> = new Set([
  'available_commands_update',
  'current_mode_update',
  'config_option_update',
  'session_info_update',
  'usage_update',
])

/** A request of the client to a session; `at` is its position among the sent messages. */
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

/** The cause of each frame, as a position among the sent messages. Within a session, it never decreases. */
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
  /** The latest `initialize`: every frame of the process that it greeted comes after it. */
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

/** A part of an answer belongs to the session's first open request; a state update to the cause of the frame before it. */
function causeInLane(value: JsonObject, lane: Lane, answered: ReadonlySet<RpcId>, sent: number): number {
  if (isStateUpdate(value) && lane.cause !== undefined) return lane.cause
  while (lane.done < lane.asked.length && answered.has(lane.asked[lane.done]?.id ?? '')) lane.done++
  const waiting = lane.asked[lane.done]
  return waiting && waiting.at < sent ? waiting.at : (lane.cause ?? 0)
}

/** The message that cancelled a prompt: the prompt's response cannot arrive before it. */
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
