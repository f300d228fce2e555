import { type LlmServer, startLlmServer } from '@acp-snapshot/llm-server'

const ANTHROPIC = { 'anthropic-version': '2023-06-01' }

let server: LlmServer
const lines: string[] = []

beforeAll(async () => {
  server = await startLlmServer({ script: ['PONG'], warn: (line) => lines.push(line) })
})

afterEach(() => {
  lines.length = 0
})

afterAll(() => server.close())

test.each([
  ['/models', {}, { object: 'list', data: [{ id: 'any-model', object: 'model' }] }],
  ['/v1/models?limit=1', {}, { object: 'list', data: [{ id: 'any-model' }] }],
  ['/v1/models/gpt-9', {}, { id: 'gpt-9', object: 'model' }],
  ['/v1/models', ANTHROPIC, { data: [{ type: 'model', id: 'any-model' }], has_more: false }],
  ['/v1/models/claude-9', ANTHROPIC, { type: 'model', id: 'claude-9' }],
  ['/v1beta/models', {}, { models: [{ name: 'models/any-model' }] }],
  ['/v1beta/models/gemini-9', {}, { name: 'models/gemini-9' }],
])('GET %s %j', async (path, headers, expected) => {
  const { status, body } = await ask('GET', path, { headers })
  expect({ status, body }).toMatchObject({ status: 200, body: expected })
})

test.each([
  ['/v1/messages/count_tokens?beta=true', { input_tokens: 100 }],
  ['/v1beta/models/gemini-9:countTokens', { totalTokens: 100 }],
])('POST %s counts tokens', async (path, expected) => {
  expect(await ask('POST', path, { body: '{}' })).toEqual({ status: 200, body: expected })
  expect(await ask('GET', path)).toMatchObject({ status: 405 })
})

test('no look-up takes an answer, and none is reported', async () => {
  await ask('GET', '/v1/models')
  await ask('POST', '/v1/messages/count_tokens', { body: '{}' })
  expect([lines, server.untaken]).toEqual([[], [0]])
})

describe('an unknown path gets the error of its API, and a line', () => {
  test.each([
    ['POST', '/v1/embeddings', {}, { error: { type: 'invalid_request_error', message: 'llm-server: unknown path' } }],
    ['GET', '/v1/responses/resp_1', {}, { error: { type: 'invalid_request_error', param: null } }],
    ['POST', '/v1/models', {}, { error: { type: 'invalid_request_error', param: null } }],
    ['POST', '/v1/messages/batches', ANTHROPIC, { type: 'error', error: { type: 'not_found_error' } }],
    ['GET', '/v1beta/cachedContents', { 'x-goog-api-key': 'k' }, { error: { code: 404, status: 'NOT_FOUND' } }],
    ['GET', '/v1beta/files', {}, { error: { code: 404, status: 'NOT_FOUND' } }],
    ['POST', '/v1beta/models/m:embedContent', {}, { error: { code: 404, status: 'NOT_FOUND' } }],
  ])('%s %s %j', async (method, path, headers, expected) => {
    expect(await ask(method, path, { headers })).toMatchObject({ status: 404, body: expected })
    expect(lines).toEqual([
      `llm-server: answered ${method} ${path} with 404: unknown path. The README of llm-server lists the paths.`,
    ])
  })

  test('HEAD, without a body', async () => {
    expect(await ask('HEAD', '/')).toEqual({ status: 404, body: undefined })
    expect(lines).toEqual([
      'llm-server: answered HEAD / with 404: unknown path. The README of llm-server lists the paths.',
    ])
  })
})

async function ask(method: string, path: string, init: { headers?: Record<string, string>; body?: string } = {}) {
  const response = await fetch(`${server.url}${path}`, { method, ...init })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}
