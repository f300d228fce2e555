import { once } from 'node:events'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { startLlmServer } from '@acp-snapshot/llm-server'
import { apiKey, callModel, listen, textOf } from './support.ts'

const EVENT_STREAM = { 'content-type': 'text/event-stream' }

describe('a body without an end', () => {
  test.each([
    [
      'line',
      200,
      EVENT_STREAM,
      'x'.repeat(1 << 20),
      { code: 'BAD_STREAM', message: expect.stringContaining('longer than') },
    ],
    ['event', 200, EVENT_STREAM, `data: ${'x'.repeat(1 << 20)}\n`, { code: 'BAD_STREAM' }],
    [
      'page',
      200,
      { 'content-type': 'text/html' },
      '<p>',
      { code: 'BAD_STREAM', message: expect.stringContaining('…') },
    ],
    ['error', 500, { 'content-type': 'text/plain' }, 'oops ', { code: 'SERVER', status: 500 }],
  ])('as one %s is an error, and closes the connection', async (_, status, headers, piece, fault) => {
    const server = createHttpServer(async (_, response) => {
      response.once('close', () => server.emit('gone'))
      response.writeHead(status, headers)
      await pour(response, piece)
    })
    const gone = once(server, 'gone')
    const { url, close } = await listen(server)
    const { error } = await callModel({ baseURL: url, idleTimeoutMs: 60_000 })
    await gone
    close()
    expect(error).toMatchObject(fault)
  })
})

test('an event of some megabytes is read whole', async () => {
  const said = '€'.repeat(1 << 20)
  const server = await startLlmServer({
    script: [
      {
        kind: 'chunks',
        chunks: [
          { type: 'text-delta', index: 0, text: said },
          { type: 'finish', reason: { kind: 'stop' } },
        ],
      },
    ],
  })
  const { chunks, error } = await callModel({ baseURL: server.url, idleTimeoutMs: 60_000 })
  await server.close()
  expect(error).toBeUndefined()
  expect(textOf(chunks) === said).toBe(true)
})

test.each([
  ['nothing but a closed connection', ''],
  ['a header that is cut', 'HTTP/1.1 200 OK\r\ncontent-'],
  ['a text that is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
])('%s is NETWORK', async (_, text) => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(text))
  })
  const { url, close } = await listen(server)
  const { error } = await callModel({ baseURL: url, idleTimeoutMs: 60_000 })
  close()
  expect(error).toMatchObject({ code: 'NETWORK', message: expect.stringContaining(`no answer from ${url}: `) })
})

test.each([
  ['a text', 'upstream is down', 'upstream is down'],
  ['a long text', 'x'.repeat(501), 'x'.repeat(500)],
  ['nothing', '', 'the provider gave no reason'],
  ['JSON without an error', '{"detail":"no"}', '{"detail":"no"}'],
  ['JSON with an error that is a text', '{"error":"no"}', '{"error":"no"}'],
])('an HTTP error whose body is %s', async (_, body, message) => {
  const { url, close } = await listen(createHttpServer((_, response) => response.writeHead(502).end(body)))
  const { error } = await callModel({ baseURL: url, idleTimeoutMs: 60_000 })
  close()
  expect(error).toMatchObject({ code: 'SERVER', status: 502, message })
})

test('an HTTP error whose body is cut keeps its status', async () => {
  const server = createHttpServer((_, response) => {
    response.writeHead(401, { 'content-length': 100 })
    response.write('bad', () => response.destroy())
  })
  const { url, close } = await listen(server)
  const { error } = await callModel({ baseURL: url, idleTimeoutMs: 60_000 })
  close()
  expect(error).toMatchObject({ code: 'AUTH', status: 401 })
})

test('a redirect is followed, and another origin does not get the API key', async () => {
  const target = await startLlmServer({ script: ['PONG'] })
  const location = `${target.url}/chat/completions`
  const { url, close } = await listen(createHttpServer((_, response) => response.writeHead(307, { location }).end()))
  const { chunks } = await callModel({ baseURL: url, idleTimeoutMs: 60_000 })
  close()
  await target.close()
  expect(textOf(chunks)).toBe('PONG')
  expect(JSON.stringify(target.requests)).not.toContain(apiKey)
})

test('a redirect to itself is NETWORK', async () => {
  const server = createHttpServer((_, response) => response.writeHead(307, { location: '/chat/completions' }).end())
  const { url, close } = await listen(server)
  const { error } = await callModel({ baseURL: url, idleTimeoutMs: 60_000 })
  close()
  expect(error).toMatchObject({ code: 'NETWORK', message: expect.stringContaining('redirect') })
})

test.each(['', '/', '/v1', '/v1/'])('the base URL may end in %j', async (path) => {
  const server = await startLlmServer({ script: ['PONG'] })
  const { error } = await callModel({ baseURL: server.url + path, idleTimeoutMs: 60_000 })
  await server.close()
  expect(error).toBeUndefined()
})

test('the variables of a proxy change nothing', async () => {
  const variables = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY']
  const before = { ...process.env }
  for (const name of variables) process.env[name] = 'http://127.0.0.1:9'
  try {
    const server = await startLlmServer({ script: ['PONG'] })
    const { chunks } = await callModel({ baseURL: server.url, idleTimeoutMs: 60_000 })
    await server.close()
    expect(textOf(chunks)).toBe('PONG')
  } finally {
    for (const name of variables) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  }
})

/** Writes the piece until the client goes away. */
async function pour(response: ServerResponse, piece: string): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  try {
    while (!gone.signal.aborted) {
      if (!response.write(piece)) await once(response, 'drain', { signal: gone.signal })
    }
  } catch {
    // The client went away.
  }
}
