import { type LlmServer, type ScriptAnswer, startLlmServer } from '@acp-snapshot/llm-server'

const GEMINI = { path: '/v1beta/models/m:generateContent', body: { contents: [] }, unanswered: 400 }

/** A call of each API, and the status of one without an answer. */
const CALLS = [
  { path: '/v1/chat/completions', body: { messages: [] }, unanswered: 500 },
  { path: '/v1/responses', body: { input: [] }, unanswered: 400 },
  { path: '/v1/messages', body: { messages: [] }, unanswered: 400 },
  GEMINI,
]

let server: LlmServer
const lines: string[] = []

afterEach(async () => {
  lines.length = 0
  await server.close()
})

test.each(CALLS)('$path without an answer says so, to the client and in a line', async ({ path, body, unanswered }) => {
  await start([])
  const problem = 'got call 1, but the script has only 0 answers'
  expect(await post(path, JSON.stringify(body))).toEqual({ status: unanswered, message: `llm-server: ${problem}` })
  expect(lines).toEqual([
    `llm-server: answered POST ${path} with ${unanswered}: ${problem}. Add an answer to the script.`,
  ])
})

test.each(CALLS)('$path refuses what is no call, which takes no answer', async ({ path, body }) => {
  await start(['PONG'])
  expect(await post(path, '{"a')).toMatchObject({
    status: 400,
    message: expect.stringContaining('expected a JSON body'),
  })
  expect(await post(path, '[]')).toMatchObject({ status: 400 })
  expect(await post(path, '')).toMatchObject({ status: 400 })
  expect((await fetch(server.url + path)).status).toBe(405)
  expect(lines).toEqual([
    ...Array(3).fill(expect.stringContaining(`POST ${path} with 400: expected a JSON body`)),
    `llm-server: answered GET ${path} with 405: expected POST, got GET`,
  ])
  expect(await post(path, JSON.stringify(body))).toMatchObject({ status: 200 })
})

test('a body over 32 MB is refused, and the next call is served', async () => {
  await start(['PONG'])
  const largest = '{"messages":[]}'.padEnd(32 * 1024 * 1024)
  expect(await post('/v1/messages', `${largest} `)).toEqual({
    status: 413,
    message: 'llm-server: the body is too large',
  })
  expect(lines).toEqual(['llm-server: answered POST /v1/messages with 413: the body is too large'])
  expect(await post('/v1/messages', largest)).toMatchObject({ status: 200 })
})

test('a line says no query, which may hold a key', async () => {
  await start([])
  await post('/v1beta/models/m:generateContent?key=secret', '{"contents":[]}')
  expect(lines.join()).toContain('m:generateContent with 400')
  expect(lines.join()).not.toContain('secret')
})

test('an answer that the API cannot say is refused with the reason', async () => {
  const block = { type: 'tool-call' as const, id: 'a', name: 'bash', arguments: '{"comm' }
  await start([{ kind: 'chunks', chunks: [{ type: 'block-end', index: 0, block }] }, 'PONG'])
  const { path, body } = GEMINI
  const reason = 'the arguments of bash are not a JSON object, which this wire cannot send: {"comm'
  expect(await post(path, JSON.stringify(body))).toEqual({ status: 400, message: `llm-server: ${reason}` })
  expect(lines).toEqual([`llm-server: answered POST ${path} with 400: ${reason}. Correct the script.`])
  expect(await post(path, JSON.stringify(body))).toMatchObject({ status: 200 })
})

async function start(script: ScriptAnswer[]): Promise<void> {
  server = await startLlmServer({ script, warn: (line) => lines.push(line) })
}

async function post(path: string, body: string): Promise<{ status: number; message: unknown }> {
  const response = await fetch(server.url + path, { method: 'POST', body })
  const { error } = JSON.parse(await response.text())
  return { status: response.status, message: error?.message }
}
