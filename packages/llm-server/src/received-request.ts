import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** A request as the server received it, with the `authorization` header, which tests check. */
export interface ReceivedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** The parsed JSON, or the text when it is not JSON. `undefined` for a body that is too large. */
  body: unknown
}

export interface Received {
  request: ReceivedRequest
  tooLarge: boolean
}

/** The largest body, in bytes: the limit of Anthropic's API. */
const LARGEST = 32 * 1024 * 1024

/**
 * Reads a whole request. A body that is too large is read to its end as well: a client that cannot send it does not read
 * the answer.
 *
 * @returns `undefined` when the client disconnects before the end
 */
export async function receive(incoming: IncomingMessage): Promise<Received | undefined> {
  const { method = '', url = '', headers } = incoming
  const packets: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const packet of incoming) {
      bytes += packet.length
      if (bytes <= LARGEST) packets.push(packet)
      else packets.length = 0
    }
  } catch {
    return undefined
  }
  const tooLarge = bytes > LARGEST
  const body = tooLarge ? undefined : parse(Buffer.concat(packets).toString())
  return { request: { method, path: url, headers, body }, tooLarge }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
