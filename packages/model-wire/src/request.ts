import type { Route, WireRequest } from './wire.ts'

/** The path without the query, which may hold a key. */
export function pathOf({ path }: Pick<WireRequest, 'path'>): string {
  return path.replace(/\?.*$/s, '')
}

/** The route of a request to a path of model calls. A body with a problem is refused. */
export function routeCall(
  request: WireRequest,
  call: { model: unknown; stream: boolean; problem: string | undefined },
): Route {
  const { problem, stream, model } = call
  if (request.method !== 'POST') return expectPost(request)
  if (problem !== undefined) return { kind: 'refused', status: 400, message: problem }
  return { kind: 'call', model: typeof model === 'string' ? model : 'unknown', stream }
}

/** The route of a request to a path that counts tokens. */
export function routeCount(request: WireRequest, answer: unknown): Route {
  return request.method === 'POST' ? { kind: 'look-up', answer } : expectPost(request)
}

/** The number of tokens in any request. */
export const TOKENS = 100

/**
 * A GET of `/models` gives a list with one model, a GET of `/models/x` the model `x`: which ones there are, only the
 * provider knows.
 *
 * @param path the path of the list, from its last segments
 */
export function routeModels(
  request: WireRequest,
  path: 'models' | 'v1beta/models',
  { one, list }: { one: (id: string) => unknown; list: (id: string) => unknown },
): Route | undefined {
  const found = new RegExp(`/${path}(?:/([^/:]+))?$`).exec(pathOf(request))
  if (!found || request.method !== 'GET') return undefined
  const [, id] = found
  return { kind: 'look-up', answer: id === undefined ? list('any-model') : one(id) }
}

/** A property of a value that may not be an object. */
export function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

function expectPost({ method }: WireRequest): Route {
  return { kind: 'refused', status: 405, message: `expected POST, got ${method}` }
}
