import { createServer } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { type ServerAnswer, startLlmServer } from '@acp-snapshot/llm-server'
import { apiKey, ask, callModel, listen, llmRequest, startStallingServer, textOf } from './support.ts'

test.each([
  [400, 'BAD_REQUEST', 'Invalid request body format'],
  [401, 'AUTH', 'Authentication Fails, Your api key is invalid'],
  [402, 'BALANCE', 'Insufficient Balance'],
  [422, 'BAD_REQUEST', 'Invalid parameters'],
  [429, 'RATE_LIMIT', 'Rate limit reached'],
  [500, 'SERVER', 'Server error'],
  [503, 'SERVER', 'The server is overloaded'],
])("HTTP %i is %s, in the provider's own words", async (status, code, message) => {
  const outcome = await ask({ fault: 'status', status })
  expect(outcome).toEqual({ chunks: [], error: expect.objectContaining({ name: 'LlmError', code, status, message }) })
})

test.each<[string, ServerAnswer, string, string]>([
  ['a reset before the headers', { fault: 'reset' }, 'NETWORK', 'no answer from http://127.0.0.1:'],
  ['a cut in mid-stream', { fault: 'cut', said: 'partial' }, 'INCOMPLETE', 'cut before it finished'],
  ['an event that is not JSON', { fault: 'malformed', said: 'partial' }, 'BAD_STREAM', 'not JSON'],
  [
    'a page of HTML',
    { fault: 'html' },
    'BAD_STREAM',
    'got content type text/html; charset=utf-8 with "<!DOCTYPE html>',
  ],
  ['an empty stream', { fault: 'empty' }, 'BAD_STREAM', 'without a single chunk'],
  [
    'a stream that ends without a finish reason',
    { kind: 'chunks', chunks: [{ type: 'text-delta', index: 0, text: 'partial' }] },
    'INCOMPLETE',
    'no chunk has a finish_reason',
  ],
  [
    'an error event in mid-stream',
    { kind: 'chunks', chunks: [{ type: 'finish', reason: { kind: 'error', message: 'Engine fault' } }] },
    'SERVER',
    'Engine fault',
  ],
])('%s throws', async (_, answer, code, message) => {
  const { error } = await ask(answer)
  expect(error).toMatchObject({ name: 'LlmError', code, message: expect.stringContaining(message) })
})

test('yields the chunks before a cut', async () => {
  const { chunks } = await ask({ fault: 'cut', said: 'what was said before' })
  expect(textOf(chunks)).toBe('what was said before')
})

test('a refused connection is NETWORK, and says why', async () => {
  const server = await startLlmServer({ script: [] })
  await server.close()
  const { error } = await callModel({ baseURL: server.url })
  expect(error).toMatchObject({ code: 'NETWORK', status: undefined, message: expect.stringContaining('ECONNREFUSED') })
})

test('an answer with a finish reason is complete without [DONE]', async () => {
  const { chunks, error } = await ask({ fault: 'no-done', said: 'PONG' })
  expect(error).toBeUndefined()
  expect(chunks.at(-1)).toEqual({ type: 'finish', reason: { kind: 'stop' } })
})

test('a failed call is not retried', async () => {
  const server = await startLlmServer({ script: [{ fault: 'status', status: 503 }, 'PONG'] })
  const { error } = await callModel({ baseURL: server.url })
  await server.close()
  expect(error).toMatchObject({ code: 'SERVER', status: 503 })
  expect(server.requests).toHaveLength(1)
})

test('a stall before the first chunk is TIMEOUT after the idle timeout', async () => {
  const server = await startLlmServer({ script: [{ kind: 'hang' }] })
  const { error } = await callModel({ baseURL: server.url, idleTimeoutMs: 80 })
  await server.close()
  expect(error).toMatchObject({ name: 'LlmError', code: 'TIMEOUT', message: `${server.url} sent nothing for 80 ms` })
})

test('a stall in mid-stream is TIMEOUT, keeps the chunks that came, and closes the connection', async () => {
  const server = await startStallingServer()
  const { chunks, error } = await withFakeClock(() =>
    callModel({ baseURL: server.url }, llmRequest(), (chunk) => {
      if (chunk.type === 'text-delta') void passIdleTimeout()
    }),
  )
  await server.gone
  server.close()
  expect(textOf(chunks)).toBe('hello')
  expect(error).toMatchObject({ code: 'TIMEOUT' })
})

test('a consumer that holds a chunk for longer than the idle timeout causes no TIMEOUT', async () => {
  const server = await startLlmServer({ script: ['PONG'] })
  const { chunks, error } = await withFakeClock(() =>
    callModel({ baseURL: server.url }, llmRequest(), () => jest.advanceTimersByTime(60_000)),
  )
  await server.close()
  expect(error).toBeUndefined()
  expect(textOf(chunks)).toBe('PONG')
})

test('keep-alive comments restart the idle timeout', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let beats = 0
    const timer = setInterval(() => {
      beats += 1
      if (beats < 24) return response.write(': keep-alive\n\n')
      clearInterval(timer)
      response.end('data: {"choices":[{"delta":{"content":"PONG"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
    }, 100)
  })
  const { url, close } = await listen(server)
  const { chunks, error } = await callModel({ baseURL: url, idleTimeoutMs: 2000 })
  close()
  expect(error).toBeUndefined()
  expect(textOf(chunks)).toBe('PONG')
})

test('an abort in mid-stream is ABORTED, keeps the chunks that came, and closes the connection', async () => {
  const server = await startStallingServer()
  const abort = new AbortController()
  const { chunks, error } = await callModel({ baseURL: server.url }, llmRequest({ signal: abort.signal }), (chunk) => {
    if (chunk.type === 'text-delta') abort.abort()
  })
  await server.gone
  server.close()
  expect(error).toMatchObject({ name: 'LlmError', code: 'ABORTED' })
  expect(textOf(chunks)).toBe('hello')
})

test.each([
  ['an abort', 'ABORTED', (abort: AbortController) => abort.abort()],
  ['a stall', 'TIMEOUT', () => void passIdleTimeout()],
])('%s after the finish reason, but before the stream ended, is %s and gives no finish', async (_, code, interrupt) => {
  const server = await startStallingServer('stop')
  const abort = new AbortController()
  const request = llmRequest({ signal: abort.signal })
  const { chunks, error } = await withFakeClock(() =>
    callModel({ baseURL: server.url }, request, (chunk) => {
      if (chunk.type === 'text-delta') interrupt(abort)
    }),
  )
  server.close()
  expect(error).toMatchObject({ code })
  expect(chunks.at(-1)?.type).toBe('text-delta')
})

test('a call that is aborted before it begins is ABORTED, and no request is sent', async () => {
  const server = await startLlmServer({ script: ['PONG'] })
  const { error } = await callModel({ baseURL: server.url }, llmRequest({ signal: AbortSignal.abort() }))
  await server.close()
  expect(error).toMatchObject({ code: 'ABORTED' })
  expect(server.requests).toHaveLength(0)
})

test.each<[string, ServerAnswer, string]>([
  [
    'an error body that repeats it',
    { fault: 'status', status: 401, message: `bad key ${apiKey}!` },
    'bad key [api key]!',
  ],
  [
    'an error event that repeats it',
    { kind: 'chunks', chunks: [{ type: 'finish', reason: { kind: 'error', message: `key ${apiKey}` } }] },
    'key [api key]',
  ],
])('the API key never appears in an error: %s', async (_, answer, message) => {
  const { error } = await ask(answer)
  expect(error).toMatchObject({ message })
  expect(inspectDeeply(error)).not.toContain(apiKey)
})

test('the API key does not leak when it is not a valid header value', async () => {
  const server = await startLlmServer({ script: ['PONG'] })
  const { error } = await callModel({ baseURL: server.url, apiKey: 'sk-secret\nkey' })
  await server.close()
  expect(error).toMatchObject({ name: 'LlmError' })
  expect(inspectDeeply(error)).not.toContain('secret')
})

/** Runs a call with fake timers, so that a slow machine causes no timeout. */
async function withFakeClock<T>(call: () => Promise<T>): Promise<T> {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date', 'performance'] })
  try {
    return await call()
  } finally {
    jest.useRealTimers()
  }
}

/** Waits until the adapter waits for the provider again, then lets its idle timeout pass. */
async function passIdleTimeout(): Promise<void> {
  while (jest.getTimerCount() === 0) await setImmediate()
  jest.advanceTimersByTime(5000)
}

function inspectDeeply(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return `${error.stack} ${JSON.stringify(error)} ${error.cause === undefined ? '' : inspectDeeply(error.cause)}`
}
