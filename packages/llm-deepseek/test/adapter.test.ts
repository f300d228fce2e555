import { startLlmServer } from '@acp-snapshot/llm-server'
import { streamDeepSeek } from '../src/adapter.ts'
import { apiKey, ask, callModel, llmRequest, startStallingServer, textOf } from './support.ts'

test('calls the chat completions endpoint with the key and the mapped request', async () => {
  const server = await startLlmServer({ script: ['PONG'] })
  const { chunks } = await callModel({ baseURL: server.url })
  await server.close()
  expect(textOf(chunks)).toBe('PONG')
  expect(server.requests).toEqual([
    expect.objectContaining({
      method: 'POST',
      path: '/chat/completions',
      headers: expect.objectContaining({ authorization: `Bearer ${apiKey}` }),
      body: {
        model: 'deepseek-v4-flash',
        messages: [{ role: 'user', content: 'Hello' }],
        stream: true,
        stream_options: { include_usage: true },
      },
    }),
  ])
})

describe('with the environment variables of the OpenAI client', () => {
  const variables = {
    OPENAI_API_KEY: 'from-the-environment',
    OPENAI_BASE_URL: 'http://127.0.0.1:9/from-the-environment',
    OPENAI_ORG_ID: 'from-the-environment',
    OPENAI_PROJECT_ID: 'from-the-environment',
    OPENAI_LOG: 'debug',
    OPENAI_CUSTOM_HEADERS: 'authorization: Bearer from-the-environment\nx-custom: from-the-environment',
  }
  beforeEach(() => Object.assign(process.env, variables))
  afterEach(() => {
    for (const variable of Object.keys(variables)) delete process.env[variable]
  })

  test('the adapter does not log: stdout belongs to ACP', async () => {
    const debug = jest.spyOn(console, 'debug')
    const { error } = await ask('PONG')
    expect(error).toBeUndefined()
    expect(debug).not.toHaveBeenCalled()
    debug.mockRestore()
  })

  test('none of them reaches the provider', async () => {
    const server = await startLlmServer({ script: ['PONG'] })
    await callModel({ baseURL: server.url })
    await server.close()
    expect(server.requests).toHaveLength(1)
    expect(JSON.stringify(server.requests)).not.toContain('from-the-environment')
  })
})

test('a packet boundary inside a character does not damage it', async () => {
  const said = 'naïve 你好 👩‍👩‍👧 🇩🇪 é'
  const { chunks } = await ask({ fault: 'split-utf8', said })
  expect(textOf(chunks)).toBe(said)
})

test('a consumer that stops early closes the connection', async () => {
  const server = await startStallingServer()
  const config = { apiKey, baseURL: server.url, idleTimeoutMs: 5000 }
  for await (const _ of streamDeepSeek(config, llmRequest())) break
  await server.gone
  server.close()
})
