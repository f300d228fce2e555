import type { LlmRequest } from '@acp-snapshot/llm'
import type { StreamChunk } from '@acp-snapshot/session'
import type OpenAI from 'openai'
import { toStreamChunks } from './chunks.ts'
import { LlmError, requestError, streamError } from './errors.ts'
import { toCompletionParams } from './request.ts'
import { StallWatch } from './stall-watch.ts'
import { requireEventStream, wireFetch } from './wire.ts'

/** Where the provider is, and how long it may say nothing (ms). */
export interface DeepSeekConfig {
  apiKey: string
  baseURL: string
  idleTimeoutMs: number
}

/**
 * Streams DeepSeek's answer to one call. It never tries again: a recording must hold what happened.
 *
 * @throws LlmError with code
 * - `AUTH`, `BALANCE`, `BAD_REQUEST`, `RATE_LIMIT`, `SERVER`: the provider refused, with its status and its own words;
 * - `NETWORK`: no answer came; `TIMEOUT`: nothing came for `idleTimeoutMs`; `ABORTED`: by `request.signal`;
 * - `INCOMPLETE`: the answer was cut; `BAD_STREAM`: what came is no stream of chat completion chunks.
 */
export async function* streamDeepSeek(config: DeepSeekConfig, request: LlmRequest): AsyncGenerator<StreamChunk> {
  const watch = new StallWatch(config.idleTimeoutMs)
  try {
    const provided = await open(config, request, watch)
    yield* toStreamChunks(watched(provided, request.signal, watch))
  } catch (error) {
    throw explain(error, config, request.signal, watch)
  } finally {
    watch.rest()
  }
}

async function open(config: DeepSeekConfig, request: LlmRequest, watch: StallWatch): Promise<AsyncIterable<unknown>> {
  watch.wait()
  const client = await createClient(config, watch)
  const signal = AbortSignal.any([request.signal, watch.signal])
  const { data, response } = await client.chat.completions
    .create(toCompletionParams(request), { signal })
    .withResponse()
    .catch((error: unknown) => {
      throw requestError(error, config.baseURL)
    })
  await requireEventStream(response).catch((error: unknown) => {
    throw streamError(error)
  })
  return data
}

/** Loads the client on the first call, so that an agent that only replays never does. Every option that it would read from the environment is set. */
async function createClient(config: DeepSeekConfig, watch: StallWatch): Promise<OpenAI> {
  const { default: Client } = await import('openai')
  return new Client({
    apiKey: config.apiKey,
    baseURL: config.baseURL,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    fetch: wireFetch(config.apiKey, () => watch.heard()),
  })
}

/** The client ends an aborted stream in silence; this one throws. The watch rests while the consumer holds a chunk. */
async function* watched(provided: AsyncIterable<unknown>, signal: AbortSignal, watch: StallWatch) {
  try {
    for await (const chunk of provided) {
      watch.rest()
      yield chunk
      watch.wait()
    }
  } catch (error) {
    throw streamError(error)
  }
  signal.throwIfAborted()
  watch.signal.throwIfAborted()
}

function explain(error: unknown, config: DeepSeekConfig, signal: AbortSignal, watch: StallWatch): unknown {
  if (signal.aborted) return new LlmError('ABORTED', 'the model call was aborted')
  if (watch.signal.aborted) {
    return new LlmError('TIMEOUT', `${config.baseURL} sent nothing for ${config.idleTimeoutMs} ms`)
  }
  if (!(error instanceof LlmError)) return error
  return new LlmError(error.code, error.message.replaceAll(config.apiKey, '[api key]'), { status: error.status })
}
