import { LlmError } from './errors.ts'

const EXCERPT_LENGTH = 80

/**
 * A `fetch` for the client that reports each packet: a keep-alive comment, which DeepSeek sends while a call is queued,
 * is no chunk, but it is a sign of life. The headers are ours, for the client adds to its own what `OPENAI_CUSTOM_HEADERS` says.
 */
export function wireFetch(apiKey: string, onPacket: () => void): typeof fetch {
  const headers = {
    accept: 'text/event-stream',
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
  }
  return async (input, init) => {
    const response = await fetch(input, { ...init, headers })
    onPacket()
    if (!response.body) return response
    const { status, statusText } = response
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(packet, out) {
          onPacket()
          out.enqueue(packet)
        },
      }),
    )
    return new Response(body, { status, statusText, headers: response.headers })
  }
}

/** @throws LlmError `BAD_STREAM` that quotes what came, when it is no event stream */
export async function requireEventStream(response: Response): Promise<void> {
  const type = response.headers.get('content-type') ?? 'none'
  if (type.startsWith('text/event-stream')) return
  const text = await excerpt(response)
  const got = text === '' ? 'an empty body' : JSON.stringify(text)
  throw new LlmError('BAD_STREAM', `expected an event stream, got content type ${type} with ${got}`, {
    status: response.status,
  })
}

async function excerpt(response: Response): Promise<string> {
  if (!response.body) return ''
  const decoder = new TextDecoder()
  let text = ''
  for await (const packet of response.body) {
    text += decoder.decode(packet, { stream: true })
    if (text.length > EXCERPT_LENGTH) return `${text.slice(0, EXCERPT_LENGTH)}…`
  }
  return text
}
