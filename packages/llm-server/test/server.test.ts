import { type LlmServer, type LlmServerOptions, startLlmServer } from '@acp-snapshot/llm-server'

let server: LlmServer

afterEach(() => server.close())

test('serves the answers in order, on both paths', async () => {
  await start({ script: ['one', 'two'] })
  expect(said(await post())).toBe('one')
  expect(said(await post('/v1/chat/completions'))).toBe('two')
})

describe('an answer with a condition', () => {
  const title = { when: { contains: 'Say "title"' }, answer: 'A title' }
  const asking = (text: string) =>
    JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: text }] })

  test('goes to the call that it fits, and takes no turn of the others', async () => {
    await start({ script: [title, 'one', 'two'] })
    expect(said(await post('/v1/chat/completions', asking('Hello')))).toBe('one')
    expect(said(await post('/v1/chat/completions', asking('Say "title".')))).toBe('A title')
    expect(said(await post('/v1/chat/completions', asking('Hello')))).toBe('two')
  })

  test('can name a part of the JSON', async () => {
    await start({ script: [{ when: { contains: '"max_tokens":1,' }, answer: 'probe' }, 'one'] })
    const probe = JSON.stringify({ model: 'm', max_tokens: 1, stream: true, messages: [] })
    const other = JSON.stringify({ model: 'm', max_tokens: 10, stream: true, messages: [] })
    expect(said(await post('/v1/chat/completions', other))).toBe('one')
    expect(said(await post('/v1/chat/completions', probe))).toBe('probe')
  })

  test('is served again in a script that repeats', async () => {
    await start({ script: [title, 'one'], repeat: true })
    const contents = ['Say "title".', 'Hello', 'Say "title".', 'Hello']
    const texts = []
    for (const content of contents) texts.push(said(await post('/v1/chat/completions', asking(content))))
    expect(texts).toEqual(['A title', 'one', 'A title', 'one'])
  })

  test('comes after the answers before it that fit as well', async () => {
    await start({ script: [title, { when: { contains: 'Say' }, answer: 'second' }] })
    expect(said(await post('/v1/chat/completions', asking('Say "title".')))).toBe('A title')
    expect(said(await post('/v1/chat/completions', asking('Say "title".')))).toBe('second')
  })

  test('is served once, or to any number of calls', async () => {
    await start({ script: [title, 'one'] })
    expect(said(await post('/v1/chat/completions', asking('Say "title".')))).toBe('A title')
    expect(said(await post('/v1/chat/completions', asking('Say "title".')))).toBe('one')
    server.enqueue({ ...title, times: 'any' })
    expect(said(await post('/v1/chat/completions', asking('Say "title".')))).toBe('A title')
    expect(said(await post('/v1/chat/completions', asking('Say "title".')))).toBe('A title')
    expect((await post('/v1/chat/completions', asking('Hello'))).text).toContain(
      'got call 5, but the script has only 1 answers in order, and no \\"when\\" fits',
    )
  })
})

test('streams as DeepSeek does: role first, usage with the finish reason, then [DONE]', async () => {
  await start({
    script: [
      {
        kind: 'chunks',
        chunks: [
          { type: 'block-start', index: 0, blockType: 'reasoning' },
          { type: 'reasoning-delta', index: 0, text: 'Hm' },
          { type: 'block-start', index: 1, blockType: 'tool-call' },
          { type: 'tool-call-delta', index: 1, id: 'call_a', name: 'bash', argumentsDelta: '' },
          { type: 'tool-call-delta', index: 1, id: 'call_a', name: 'bash', argumentsDelta: '{}' },
          { type: 'block-end', index: 0, block: { type: 'reasoning', text: 'Hm' } },
          { type: 'block-end', index: 1, block: { type: 'tool-call', id: 'call_a', name: 'bash', arguments: '{}' } },
          { type: 'usage', usage: { inputTokens: 3, outputTokens: 4, cacheReadTokens: 5, reasoningTokens: 1 } },
          { type: 'finish', reason: { kind: 'tool-calls' } },
        ],
      },
    ],
  })
  const { lines } = await post()
  expect(lines.pop()).toBe('[DONE]')
  const events = lines.map((line) => JSON.parse(line))
  expect(events.map((event) => event.choices[0].delta)).toEqual([
    { role: 'assistant', content: '' },
    { content: null, reasoning_content: 'Hm' },
    { tool_calls: [{ index: 0, id: 'call_a', type: 'function', function: { name: 'bash', arguments: '' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '{}' } }] },
    { content: '', reasoning_content: null },
  ])
  expect(events.at(-2)).toMatchObject({ model: 'm', choices: [{ finish_reason: null }], usage: null })
  expect(events.at(-1)).toMatchObject({
    choices: [{ finish_reason: 'tool_calls' }],
    usage: {
      prompt_tokens: 8,
      completion_tokens: 4,
      total_tokens: 12,
      prompt_cache_hit_tokens: 5,
      prompt_cache_miss_tokens: 3,
      completion_tokens_details: { reasoning_tokens: 1 },
    },
  })
})

test('sends a block that a script gives without deltas', async () => {
  await start({
    script: [
      {
        kind: 'chunks',
        chunks: [
          { type: 'block-end', index: 0, block: { type: 'text', text: 'whole' } },
          { type: 'finish', reason: { kind: 'stop' } },
        ],
      },
    ],
  })
  expect(said(await post())).toBe('whole')
})

test('the ids in an answer say its place in the script, and differ in each answer', async () => {
  const title = { when: { contains: 'title' }, times: 'any' as const, answer: 'A title' }
  await start({ script: [title, 'one', 'two'] })
  const ids = []
  for (const content of ['Hello', 'title', 'Hello', 'title']) {
    const { lines } = await post('/v1/chat/completions', JSON.stringify({ stream: true, messages: [{ content }] }))
    ids.push(JSON.parse(lines[0] ?? '').id)
  }
  expect(ids).toEqual(['chatcmpl_1', 'chatcmpl_0', 'chatcmpl_2', 'chatcmpl_0_2'])
})

test('keeps each request unchanged, and counts connections', async () => {
  await start({ script: ['one'] })
  await post()
  expect(server.requests).toEqual([
    {
      method: 'POST',
      path: '/chat/completions',
      headers: expect.objectContaining({ authorization: 'Bearer sk-test' }),
      body: { model: 'm', stream: true, messages: [] },
    },
  ])
  expect(server.connections).toBe(1)
})

test('an exhausted script is an HTTP 500 that says so', async () => {
  await start({ script: ['one'] })
  await post()
  const { status, text } = await post()
  expect(status).toBe(500)
  expect(JSON.parse(text)).toEqual({
    error: {
      message: 'llm-server: got call 2, but the script has only 1 answers',
      type: 'server_error',
      param: null,
      code: 'internal_server_error',
    },
  })
})

test('accepts more answers while it runs, and can repeat its script', async () => {
  await start({ script: ['one'], repeat: true })
  server.enqueue('two')
  expect([said(await post()), said(await post()), said(await post())]).toEqual(['one', 'two', 'one'])
})

test('rejects a request that is not a streaming call, which uses no answer', async () => {
  await start({ script: ['one'] })
  expect(await post('/models')).toMatchObject({ status: 404 })
  expect(await post('/chat/completions', '{"stream":false}')).toMatchObject({ status: 400 })
  expect(await post('/chat/completions', 'no json')).toMatchObject({ status: 400 })
  expect((await fetch(`${server.url}/chat/completions`)).status).toBe(405)
  expect(said(await post())).toBe('one')
})

test('a throw entry without chunks is its HTTP status with the provider’s error body, or a reset', async () => {
  const failure = { kind: 'throw' as const, chunks: [], message: 'simulated', code: 'AUTH' }
  await start({ script: [{ ...failure, status: 401 }, failure] })
  const { status, text } = await post()
  expect(status).toBe(401)
  expect(JSON.parse(text)).toMatchObject({ error: { message: 'simulated', type: 'authentication_error', param: null } })
  await expect(post()).rejects.toThrow('fetch failed')
})

test('the same seed cuts a text at the same places, another seed at other places', async () => {
  const text = 'a text that is long enough to be cut at many places, one after the other'
  const cut = async (seed: number) => {
    await start({ script: [text], seed })
    const { lines } = await post()
    await server.close()
    return lines
  }
  const first = await cut(7)
  expect(await cut(7)).toEqual(first)
  expect(await cut(8)).not.toEqual(first)
  await start({ script: [] })
})

test('small packets with delays give the same text as large ones without', async () => {
  await start({ script: ['hello 你好'], packetBytes: 40, delayMs: 2 })
  expect(said(await post())).toBe('hello 你好')
})

test('close ends a connection that hangs', async () => {
  await start({ script: [{ kind: 'hang', chunks: [{ type: 'text-delta', index: 0, text: 'so far' }] }] })
  const response = await fetch(`${server.url}/chat/completions`, { method: 'POST', body: '{"stream":true}' })
  const body = response.text()
  await Promise.all([expect(body).rejects.toThrow('terminated'), server.close()])
  await start({ script: [] })
})

async function start(options: LlmServerOptions): Promise<void> {
  server = await startLlmServer(options)
}

async function post(path = '/chat/completions', body = '{"model":"m","stream":true,"messages":[]}') {
  const headers = { authorization: 'Bearer sk-test' }
  const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body })
  const text = await response.text()
  const lines = text.split('\n\n').filter(Boolean)
  return { status: response.status, text, lines: lines.map((line) => line.replace(/^data: /, '')) }
}

function said({ lines }: { lines: string[] }): string {
  const events = lines.filter((line) => line !== '[DONE]').map((line) => JSON.parse(line))
  return events.map((event) => event.choices[0].delta.content).join('')
}
