import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Plan, planError } from './plan.ts'

/** A request as the server received it, with the `authorization` header, which tests check. */
export interface ReceivedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** The parsed JSON, or the text when it is not JSON. */
  body: unknown
}

const PATHS: readonly string[] = ['/chat/completions', '/v1/chat/completions']

/** Reads a whole request. Returns `undefined` when the client disconnects before the end. */
export async function receive(incoming: IncomingMessage): Promise<ReceivedRequest | undefined> {
  const { method = '', url = '', headers } = incoming
  const body = await text(incoming).catch(() => undefined)
  return body === undefined ? undefined : { method, path: url, headers, body: parse(body) }
}

/** The error for a request that is not a streaming chat completion call. Such a request uses no answer of the script. */
export function refuse({ method, path, body }: ReceivedRequest): Plan | undefined {
  if (!PATHS.includes(path)) return planError(404, `llm-server: no such path ${path}`)
  if (method !== 'POST') return planError(405, `llm-server: expected POST, got ${method}`)
  if (field(body, 'stream') !== true) return planError(400, 'llm-server: expected a JSON body with "stream": true')
  return undefined
}

export function modelOf({ body }: ReceivedRequest): string {
  return String(field(body, 'model'))
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
