import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

/** A request as the server received it, with the `authorization` header, which tests check. */
export interface ReceivedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** The parsed JSON, or the text when it is not JSON. */
  body: unknown
}

/** Reads a whole request. Returns `undefined` when the client disconnects before the end. */
export async function receive(incoming: IncomingMessage): Promise<ReceivedRequest | undefined> {
  const { method = '', url = '', headers } = incoming
  const body = await text(incoming).catch(() => undefined)
  return body === undefined ? undefined : { method, path: url, headers, body: parse(body) }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
