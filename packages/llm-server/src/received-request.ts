import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Plan, planError } from './plan.ts'

/** A request as it came. The `authorization` header is in it: tests check it. */
export interface ReceivedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** The parsed JSON, or the text when it is none. */
  body: unknown
}

const PATHS: readonly string[] = ['/chat/completions', '/v1/chat/completions']

/** Reads a whole request; gives nothing when the client went away before it had sent all. */
export async function receive(incoming: IncomingMessage): Promise<ReceivedRequest | undefined> {
  const { method = '', url = '', headers } = incoming
  const body = await text(incoming).catch(() => undefined)
  return body === undefined ? undefined : { method, path: url, headers, body: parse(body) }
}

/** The refusal of a request that is no streaming chat completion call; such a request takes no answer of the script. */
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
