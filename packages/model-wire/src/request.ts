import type { Route, WireRequest } from './wire.ts'

/** The path without the query. */
export function pathOf({ path }: WireRequest): string {
  return path.replace(/\?.*$/s, '')
}

/** The route of a request to the path of model calls. */
export function routePost(
  { method }: WireRequest,
  call: { model: string; stream: boolean; problem: string | undefined },
): Route {
  if (method !== 'POST') return { kind: 'refused', status: 405, message: `llm-server: expected POST, got ${method}` }
  const { problem, ...rest } = call
  if (problem !== undefined) return { kind: 'refused', status: 400, message: `llm-server: ${problem}` }
  return { kind: 'call', ...rest }
}

/** A property of a value that may not be an object. */
export function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
