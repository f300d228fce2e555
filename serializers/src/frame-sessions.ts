import { REQUEST_ID_IN_PARAMS, type RpcId } from './rpc-ids.ts'

/** A message from the client. Only requests have an id. */
export interface ClientMessage {
  readonly id?: RpcId | undefined
  readonly method: string
  readonly sessionId?: string | undefined
}

/** The session of each frame, and of each request of the client. */
export function sessionsOf(
  values: readonly JsonObject[],
  sent: readonly ClientMessage[],
  requests: ReadonlyMap<RpcId, number>,
) {
  const ofRequests = sent.map(({ sessionId }) => sessionId)
  for (const { id, method, result } of values) {
    const request = method === undefined && isId(id) ? requests.get(id) : undefined
    // session/new created this session.
    if (request !== undefined && isObject(result)) ofRequests[request] ??= textOf(result.sessionId)
  }
  const ofAgentRequests = new Map<RpcId, string | undefined>()
  const ofFrames = values.map((value) => {
    const session = sessionOf(value, requests, ofRequests, ofAgentRequests)
    if (value.method !== undefined && isId(value.id)) ofAgentRequests.set(value.id, session)
    return session
  })
  return { ofFrames, ofRequests }
}

function sessionOf(
  value: JsonObject,
  requests: ReadonlyMap<RpcId, number>,
  ofRequests: readonly (string | undefined)[],
  ofAgentRequests: ReadonlyMap<RpcId, string | undefined>,
): string | undefined {
  const { method, params } = value
  if (method === undefined) {
    const request = requestOf(value, requests)
    return request === undefined ? undefined : ofRequests[request]
  }
  if (!isObject(params)) return undefined
  const session = textOf(params.sessionId)
  const { requestId } = params
  if (session !== undefined || !isId(requestId)) return session
  const direction = REQUEST_ID_IN_PARAMS.get(String(method))
  if (direction === 'agent') return ofAgentRequests.get(requestId)
  return direction === 'client' ? ofRequests[requests.get(requestId) ?? -1] : undefined
}

/** The position of the request that a response answers. */
export function requestOf({ id, method }: JsonObject, requests: ReadonlyMap<RpcId, number>): number | undefined {
  return method === undefined && isId(id) ? requests.get(id) : undefined
}

export type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null
}

export function isId(value: unknown): value is RpcId {
  return typeof value === 'string' || typeof value === 'number'
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
