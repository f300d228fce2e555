import { request } from 'node:http'
import { type LlmServer, type LlmServerOptions, startLlmServer } from '@acp-snapshot/llm-server'

let server: LlmServer
const lines: string[] = []

afterEach(async () => {
  lines.length = 0
  await server.close()
})

test('calls at once get one answer each', async () => {
  const texts = Array.from({ length: 20 }, (_, i) => `answer ${i}`)
  await start({ script: texts, packetBytes: 3 })
  const said = await Promise.all(texts.map(() => post().then(textOf)))
  expect(said.sort()).toEqual([...texts].sort())
})

test('a concurrent call with a condition never takes the answer of another', async () => {
  const title = { when: { contains: 'title' }, times: 'any' as const, answer: 'a title' }
  await start({ script: [title, ...Array.from({ length: 10 }, () => 'a turn')] })
  const asked = Array.from({ length: 20 }, (_, i) => (i % 2 ? 'title' : 'turn'))
  const said = await Promise.all(asked.map((content) => post(content).then(textOf)))
  expect(said).toEqual(asked.map((content) => `a ${content}`))
  expect([lines, server.untaken]).toEqual([[], []])
})

test('a client that leaves in mid-stream or in mid-request disturbs nobody', async () => {
  await start({ script: ['a '.repeat(1_000_000), 'PONG'] })
  const abort = new AbortController()
  const response = await post('Hello', abort.signal)
  await response.body?.getReader().read()
  abort.abort()
  const half = request(`${server.url}/v1/messages`, { method: 'POST', headers: { 'content-length': 100 } })
  half.on('error', () => undefined)
  await new Promise((resolve) => half.write('{"messages"', resolve))
  half.destroy()
  expect(await textOf(await post())).toBe('PONG')
  expect([lines, server.requests.length]).toEqual([[], 2])
})

test('an answer of 10 MB arrives whole, in thousands of events and not in millions', async () => {
  const text = 'naïve 你好 '.repeat(750_000)
  await start({ script: [text], packetBytes: 100_000 })
  const events = eventsOf(await (await post()).text())
  expect(joined(events) === text).toBe(true)
  expect(events.length).toBeLessThan(30_000)
})

test('a slow reader holds back its own answer alone', async () => {
  const text = 'a '.repeat(500_000)
  await start({ script: [text, 'PONG'] })
  const slow = await post()
  expect(await textOf(await post())).toBe('PONG')
  expect((await textOf(slow)) === text).toBe(true)
})

async function start(options: LlmServerOptions): Promise<void> {
  server = await startLlmServer({ ...options, warn: (line) => lines.push(line) })
}

async function post(content = 'Hello', signal?: AbortSignal): Promise<Response> {
  const body = JSON.stringify({ stream: true, messages: [{ role: 'user', content }] })
  return fetch(`${server.url}/v1/messages`, { method: 'POST', body, ...(signal && { signal }) })
}

async function textOf(response: Response): Promise<string> {
  return joined(eventsOf(await response.text()))
}

interface Event {
  delta?: { text?: string }
}

function eventsOf(stream: string): Event[] {
  return [...stream.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
}

function joined(events: Event[]): string {
  return events.map(({ delta }) => delta?.text ?? '').join('')
}
