import { LlmError } from '@acp-snapshot/llm/error'
import { createParser } from 'eventsource-parser'
import { rootCause, toEventError } from './provider-error.ts'
import { readStart } from './response-text.ts'
import type { StallWatch } from './stall-watch.ts'

const EXCERPT_LENGTH = 80

/** The longest event, in characters. The parser holds an event until it is complete. */
const MAX_EVENT_LENGTH = 16 * 1024 * 1024

/** @throws LlmError `BAD_STREAM` that quotes the body when it is not an event stream */
export async function requireEventStream(response: Response): Promise<void> {
  const type = response.headers.get('content-type') ?? 'none'
  if (/^text\/event-stream\b/i.test(type)) return
  const text = await readStart(response, EXCERPT_LENGTH)
  const got = text === '' ? 'an empty body' : JSON.stringify(text)
  throw new LlmError('BAD_STREAM', `expected an event stream, got content type ${type} with ${got}`, {
    status: response.status,
  })
}

/**
 * Yields the JSON value of each event up to `[DONE]`, and reads the stream to its end. The watch, which runs when this is called, rests while the
 * consumer holds a value. Every packet restarts it: DeepSeek sends keep-alive comments while a call is queued.
 *
 * @throws LlmError `SERVER` for an error event; `BAD_STREAM` for an event that is not JSON or is too long; `INCOMPLETE` for a cut
 */
export async function* readEvents(response: Response, watch: StallWatch, signal: AbortSignal): AsyncGenerator<unknown> {
  let done = false
  for await (const data of readData(response, watch)) {
    done ||= data.startsWith('[DONE]')
    if (!done) yield parseEvent(data)
  }
  // An abort after the last packet does not break the body.
  signal.throwIfAborted()
}

/** Yields the data of each event. An event that the end of the stream cuts is dropped, as the standard for event streams says. */
async function* readData(response: Response, watch: StallWatch): AsyncGenerator<string> {
  const events: string[] = []
  const decoder = new TextDecoder()
  const parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent: ({ data }) => events.push(data),
    onError: ({ type }) => {
      if (type !== 'max-buffer-size-exceeded') return
      throw new LlmError('BAD_STREAM', `an event of the stream is longer than ${MAX_EVENT_LENGTH} characters`)
    },
  })
  try {
    for await (const packet of response.body ?? []) {
      watch.rest()
      parser.feed(decoder.decode(packet, { stream: true }))
      yield* events.splice(0)
      watch.wait()
    }
  } catch (error) {
    if (error instanceof LlmError) throw error
    throw new LlmError('INCOMPLETE', `the stream was cut before it finished: ${rootCause(error)}`)
  }
}

function parseEvent(data: string): unknown {
  const event = parseJson(data)
  const error = toEventError(event)
  if (error) throw error
  return event
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    throw new LlmError('BAD_STREAM', 'an event of the stream is not JSON')
  }
}
