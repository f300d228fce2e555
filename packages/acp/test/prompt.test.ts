import { begins, runs, says } from '@acp-snapshot/testing/answers'
import { type Agent, clearUp, startAgent } from '@acp-snapshot/testing/start-agent'

afterAll(clearUp)

/** An agent with one session, and a model script. */
async function withSession(replay: Parameters<typeof startAgent>[0] & object): Promise<{ agent: Agent; id: string }> {
  const agent = await startAgent(replay)
  await agent.initialize()
  return { agent, id: await agent.newSession() }
}

describe('the content of a prompt', () => {
  let agent: Agent
  let id: string
  beforeAll(async () => {
    const started = await withSession({ replay: [says('Read.')] })
    agent = started.agent
    id = started.id
  })
  const send = (prompt: object[]) => agent.request('session/prompt', { sessionId: id, prompt })

  test('must not be empty', async () => {
    await expect(send([])).resolves.toEqual({ error: { code: -32602, message: 'Invalid params: prompt is empty' } })
  })

  test('must not have a type that initialize does not announce', async () => {
    await expect(send([{ type: 'image', data: 'AAAA', mimeType: 'image/png' }])).resolves.toEqual({
      error: { code: -32602, message: 'Invalid params: prompt content of type image is not supported' },
    })
  })

  test('starts no turn when it is rejected', () => {
    expect(agent.log(id).events).toEqual([])
  })

  test('may contain text and links, and a link becomes a Markdown link', async () => {
    const link = { type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt' }
    const titled = { type: 'resource_link', uri: 'file:///b.txt', name: 'b.txt', title: 'B' }
    await expect(send([{ type: 'text', text: 'Read' }, link, titled])).resolves.toEqual({
      result: { stopReason: 'end_turn' },
    })
    expect(agent.logged(id, 'user/message')).toMatchObject([
      {
        content: [
          { type: 'text', text: 'Read' },
          { type: 'text', text: '[a.txt](file:///a.txt)' },
          { type: 'text', text: '[B](file:///b.txt)' },
        ],
      },
    ])
  })

  test('needs an existing session', async () => {
    await expect(agent.prompt('none', 'Hello')).resolves.toEqual({
      error: { code: -32002, message: 'no session none' },
    })
  })
})

describe('the answer to a prompt', () => {
  test('comes after every update of its turn', async () => {
    const { agent, id } = await withSession({ replay: [runs(['echo hi']), says('Done.')] })
    await agent.prompt(id, 'Run it.')
    expect(agent.updates(id).at(-1)).toBe('agent_message_chunk Done.')
    expect(agent.lines.at(-1)).toMatchObject({ value: { result: { stopReason: 'end_turn' } } })
  })

  test('comes after them even when they exceed the pipe buffer', async () => {
    const delta = { type: 'text-delta' as const, index: 0, text: 'x'.repeat(50_000) }
    const finish = { type: 'finish' as const, reason: { kind: 'stop' as const } }
    const start = { type: 'block-start' as const, index: 0, blockType: 'text' as const }
    const end = { type: 'block-end' as const, index: 0, block: { type: 'text' as const, text: delta.text.repeat(40) } }
    const replay = [{ kind: 'chunks' as const, chunks: [start, ...Array(40).fill(delta), end, finish] }]
    const { agent, id } = await withSession({ replay })
    await agent.prompt(id, 'Speak.')
    expect(agent.updates(id)).toHaveLength(40)
    expect(agent.lines.at(-1)).toMatchObject({ value: { result: { stopReason: 'end_turn' } } })
  })

  test('is an error when the turn failed, after its updates, and the agent keeps running', async () => {
    const failure = { kind: 'throw' as const, message: 'the provider is out of luck', code: 'SERVER', status: 503 }
    const replay = [{ ...failure, chunks: begins('Well,') }, says('Better.')]
    const { agent, id } = await withSession({ replay })
    await expect(agent.prompt(id, 'Speak.')).resolves.toEqual({
      error: { code: -32603, message: 'Internal error: the provider is out of luck' },
    })
    expect(agent.lines.slice(-2)).toMatchObject([{ value: { method: 'session/update' } }, { value: { error: {} } }])
    await expect(agent.prompt(id, 'Again.')).resolves.toEqual({ result: { stopReason: 'end_turn' } })
  })

  test('is max_tokens for an answer cut at the token limit', async () => {
    const { agent, id } = await withSession({ replay: [says('Well', { kind: 'max-tokens' })] })
    await expect(agent.prompt(id, 'Speak.')).resolves.toEqual({ result: { stopReason: 'max_tokens' } })
  })

  test('is -32600 while another turn of the session is running, and that turn continues', async () => {
    const { agent, id } = await withSession({ replay: [{ kind: 'hang', chunks: begins('Well,') }] })
    const answer = agent.prompt(id, 'Speak.')
    await agent.update(id, 'agent_message_chunk Well,')
    await expect(agent.prompt(id, 'And now?')).resolves.toMatchObject({
      error: { code: -32600, message: expect.stringContaining('is running a turn') },
    })
    agent.cancel(id)
    await expect(answer).resolves.toEqual({ result: { stopReason: 'cancelled' } })
    expect(agent.logged(id, 'turn/start')).toHaveLength(1)
  })
})

test('two sessions run concurrently, and each gets only its own updates', async () => {
  const replay = [
    { kind: 'hang' as const, chunks: begins('a begins'), session: 0 },
    { ...says('b speaks'), session: 1 },
    { ...says('b again'), session: 1 },
    { ...says('a again'), session: 0 },
  ]
  const { agent, id: a } = await withSession({ replay })
  const b = await agent.newSession()
  const answer = agent.prompt(a, 'Speak.')
  await agent.update(a, 'agent_message_chunk a begins')
  await expect(agent.prompt(b, 'Speak.')).resolves.toEqual({ result: { stopReason: 'end_turn' } })
  await expect(agent.prompt(b, 'Again.')).resolves.toEqual({ result: { stopReason: 'end_turn' } })
  agent.cancel(a)
  await expect(answer).resolves.toEqual({ result: { stopReason: 'cancelled' } })
  await agent.prompt(a, 'Again.')
  expect(agent.updates(a)).toEqual(['agent_message_chunk a begins', 'agent_message_chunk a again'])
  expect(agent.updates(b)).toEqual(['agent_message_chunk b speaks', 'agent_message_chunk b again'])
})
