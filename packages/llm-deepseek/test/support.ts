import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server, Socket } from 'node:net'
import type { LlmRequest } from '@acp-snapshot/llm'
import { type LlmServerOptions, type ServerAnswer, startLlmServer } from '@acp-snapshot/llm-server'
import type { StreamChunk } from '@acp-snapshot/session'
import { type DeepSeekConfig, streamDeepSeek } from '../src/adapter.ts'

export const apiKey = 'sk-0123456789abcdef'

/** A minimal request. */
export function llmRequest(changes: Partial<LlmRequest> = {}): LlmRequest {
  return {
    sessionId: 's',
    turn: 1,
    step: 1,
    model: 'deepseek-v4-flash',
    tools: [],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    signal: new AbortController().signal,
    ...changes,
  }
}

/** The chunks of one call, and the error that it threw, if any. */
interface Outcome {
  chunks: StreamChunk[]
  error?: unknown
}

/** Runs one call to its end. `onChunk` sees each chunk as it comes. */
export async function callModel(
  config: Partial<DeepSeekConfig> & { baseURL: string },
  request: LlmRequest = llmRequest(),
  onChunk: (chunk: StreamChunk) => void = () => {},
): Promise<Outcome> {
  const chunks: StreamChunk[] = []
  try {
    for await (const chunk of streamDeepSeek({ apiKey, idleTimeoutMs: 5000, ...config }, request)) {
      chunks.push(chunk)
      onChunk(chunk)
    }
    return { chunks }
  } catch (error) {
    return { chunks, error }
  }
}

/** Asks a server that gives one answer. */
export async function ask(answer: ServerAnswer, options: Omit<LlmServerOptions, 'script'> = {}): Promise<Outcome> {
  const server = await startLlmServer({ script: [answer], ...options })
  try {
    return await callModel({ baseURL: server.url })
  } finally {
    await server.close()
  }
}

/** The text of chunks. */
export function textOf(chunks: readonly StreamChunk[]): string {
  return chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.text : '')).join('')
}

/** A provider that sends "hello", and then nothing. `gone` resolves when the client disconnects. */
export async function startStallingServer(finishReason: string | null = null) {
  const choice = { delta: { content: 'hello' }, finish_reason: finishReason }
  const server = createServer((_, response) => {
    response.once('close', () => server.emit('gone'))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${JSON.stringify({ choices: [choice] })}\n\n`)
  })
  const gone = once(server, 'gone')
  return { ...(await listen(server)), gone }
}

/** Starts a server on a free port of the loopback interface. */
export async function listen(server: Server) {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no TCP address')
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { url: `http://127.0.0.1:${address.port}`, close }
}
