import type { LlmRequest } from '@acp-snapshot/llm'
import { LlmError } from '@acp-snapshot/llm/error'
import type { StreamChunk } from '@acp-snapshot/session'
import { toStreamChunks } from './chunks.ts'
import { toCompletionParams } from './completion-params.ts'
import { readEvents, requireEventStream } from './event-stream.ts'
import { rootCause, toRefusal } from './provider-error.ts'
import { StallWatch } from './stall-watch.ts'

/** Where the provider is, and how long it may stay silent (ms). */
export interface DeepSeekConfig {
  apiKey: string
  baseURL: string
  idleTimeoutMs: number
}

/**
 * Streams DeepSeek's answer to one call. It never retries: a recording must show what happened.
 *
 * @throws LlmError with code
 * - `AUTH`, `BALANCE`, `BAD_REQUEST`, `RATE_LIMIT`, `SERVER`: the provider refused, with its status and its own words;
 * - `NETWORK`: no answer came; `TIMEOUT`: nothing came for `idleTimeoutMs`; `ABORTED`: by `request.signal`;
 * - `INCOMPLETE`: the answer was cut; `BAD_STREAM`: the answer is not a stream of chat completion chunks.
 */
export async function* streamDeepSeek(config: DeepSeekConfig, request: LlmRequest): AsyncGenerator<StreamChunk> {
  const watch = new StallWatch(config.idleTimeoutMs)
  const signal = AbortSignal.any([request.signal, watch.signal])
  try {
    watch.wait()
    const response = await post(config, request, signal)
    watch.wait()
    if (!response.ok) throw await toRefusal(response)
    await requireEventStream(response)
    yield* toStreamChunks(readEvents(response, watch, signal))
  } catch (error) {
    throw explain(error, config, request.signal, watch)
  } finally {
    watch.rest()
  }
}

async function post(config: DeepSeekConfig, request: LlmRequest, signal: AbortSignal): Promise<Response> {
  const url = `${config.baseURL.replace(/\/$/, '')}/chat/completions`
  const headers = {
    accept: 'text/event-stream',
    authorization: `Bearer ${config.apiKey}`,
    'content-type': 'application/json',
  }
  const body = JSON.stringify(toCompletionParams(request))
  try {
    return await fetch(url, { method: 'POST', headers, body, signal })
  } catch (error) {
    throw new LlmError('NETWORK', `no answer from ${config.baseURL}: ${rootCause(error)}`)
  }
}

function explain(error: unknown, config: DeepSeekConfig, signal: AbortSignal, watch: StallWatch): unknown {
  if (signal.aborted) return new LlmError('ABORTED', 'the model call was aborted')
  if (watch.signal.aborted) {
    return new LlmError('TIMEOUT', `${config.baseURL} sent nothing for ${config.idleTimeoutMs} ms`)
  }
  if (!(error instanceof LlmError)) return error
  return new LlmError(error.code, error.message.replaceAll(config.apiKey, '[api key]'), { status: error.status })
}
