import { join } from 'node:path'
import { begins, runs, says } from '@acp-snapshot/testing/answers'
import { type Agent, clearUp, newPlace, startAgent } from '@acp-snapshot/testing/start-agent'

afterAll(clearUp)

async function initialized(options: Parameters<typeof startAgent>[0]): Promise<Agent> {
  const agent = await startAgent(options)
  await agent.initialize()
  return agent
}

describe('initialize', () => {
  test('returns the name and the capabilities of the agent', async () => {
    const agent = await startAgent({ replay: [] })
    await expect(agent.initialize()).resolves.toEqual({
      result: {
        protocolVersion: 1,
        agentInfo: { name: 'test-agent', version: '1.2.3' },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: false, audio: false, embeddedContext: false },
        },
        authMethods: [],
      },
    })
  })

  test('must come first', async () => {
    const agent = await startAgent({ replay: [] })
    const cwd = agent.place.cwd
    const response = await agent.request('session/new', { cwd, mcpServers: [] })
    expect(response).toMatchObject({ error: { code: -32600 } })
  })
})

describe('session/new', () => {
  let agent: Agent
  beforeAll(async () => {
    agent = await initialized({ replay: [] })
  })

  const server = { name: 'files', command: '/bin/true', args: [], env: [] }
  test.each([
    ['a relative cwd', { cwd: 'here', mcpServers: [] }, 'cwd must be an absolute path, got "here"'],
    ['other directories', { additionalDirectories: ['/x'] }, 'additionalDirectories is not supported'],
    ['MCP servers', { mcpServers: [server] }, 'mcpServers is not supported'],
  ])('refuses %s', async (_, params, why) => {
    const response = await agent.request('session/new', { cwd: agent.place.cwd, mcpServers: [], ...params })
    expect(response).toEqual({ error: { code: -32602, message: `Invalid params: ${why}` } })
  })

  test('rejects a request without a cwd', async () => {
    const response = await agent.request('session/new', { mcpServers: [] })
    expect(response).toMatchObject({ error: { code: -32602 } })
  })

  test('accepts empty lists for unsupported features, and gives each session its own id', async () => {
    const params = { cwd: agent.place.cwd, mcpServers: [], additionalDirectories: [] }
    const response = await agent.request('session/new', params)
    expect(response).toEqual({ result: { sessionId: expect.any(String) } })
    expect(response).not.toEqual(await agent.request('session/new', params))
  })

  test('reports why a session cannot be persisted', async () => {
    const place = newPlace()
    const sessions = join(place.root, 'cwd', 'a-file')
    const agent = await initialized({ place, replay: [], env: { TEST_SESSIONS: `${process.execPath}/${sessions}` } })
    const response = await agent.request('session/new', { cwd: place.cwd, mcpServers: [] })
    expect(response).toEqual({
      error: { code: -32603, message: expect.stringMatching(/^Internal error: ENOTDIR: not a directory/) },
    })
  })
})

describe('session/load', () => {
  test('rejects what session/new rejects', async () => {
    const agent = await initialized({ replay: [] })
    const response = await agent.request('session/load', { sessionId: 'x', cwd: 'here', mcpServers: [] })
    expect(response).toMatchObject({ error: { code: -32602 } })
  })

  test('rejects an unknown session', async () => {
    const agent = await initialized({ replay: [] })
    await expect(agent.load('../../etc/passwd')).resolves.toEqual({
      error: { code: -32002, message: 'no session ../../etc/passwd' },
    })
  })

  test('rejects a session that is running a turn, and the turn continues', async () => {
    const agent = await initialized({ replay: [{ kind: 'hang', chunks: begins('Well,') }] })
    const id = await agent.newSession()
    const answer = agent.prompt(id, 'Speak.')
    await agent.update(id, 'agent_message_chunk Well,')
    await expect(agent.load(id)).resolves.toEqual({
      error: { code: -32600, message: `Invalid request: session ${id} is running a turn` },
    })
    agent.cancel(id)
    await expect(answer).resolves.toEqual({ result: { stopReason: 'cancelled' } })
  })

  test('sends the whole history in a fresh process before it answers', async () => {
    const place = newPlace()
    const replay = [runs(['echo hi', 'exit 3']), says('Done.')]
    const first = await initialized({ place, replay })
    const id = await first.newSession()
    await first.prompt(id, 'Run them.')
    const live = first.updates(id)
    await first.end()

    const second = await initialized({ place, replay })
    await expect(second.load(id)).resolves.toEqual({ result: {} })
    expect(second.updates(id)).toEqual(['user_message_chunk Run them.', ...live])
    expect(live).toEqual([
      'tool_call call_1 in_progress',
      'tool_call_update call_1 completed',
      'tool_call call_2 in_progress',
      'tool_call_update call_2 completed',
      'agent_message_chunk Done.',
    ])
    expect(second.lines.at(-1)).toMatchObject({ value: { result: {} } })
  })

  test('of an open session sends the history, and changes its working directory', async () => {
    const agent = await initialized({ replay: [says('OK'), runs(['pwd']), says('There.')] })
    const id = await agent.newSession()
    await agent.prompt(id, 'Say OK.')
    const before = agent.updates(id)
    await expect(agent.load(id, agent.place.home)).resolves.toEqual({ result: {} })
    expect(agent.updates(id).slice(before.length)).toEqual(['user_message_chunk Say OK.', ...before])
    await agent.prompt(id, 'Where?')
    const text = `${agent.place.home}\n`
    expect(agent.logged(id, 'tool/result')).toMatchObject([{ content: [{ type: 'text', text }] }])
  })

  test('sends the history before the updates of a prompt sent right after it', async () => {
    const agent = await initialized({ replay: [says('one'), says('two')] })
    const id = await agent.newSession()
    await agent.prompt(id, 'First.')
    const told = agent.updates(id).length
    await Promise.all([agent.load(id), agent.prompt(id, 'Second.')])
    expect(agent.updates(id).slice(told)).toEqual([
      'user_message_chunk First.',
      'agent_message_chunk one',
      'agent_message_chunk two',
    ])
  })
})

test('two agents never write the same log: the second one gets an error that names the first', async () => {
  const place = newPlace()
  const first = await initialized({ place, replay: [] })
  const id = await first.newSession()
  const second = await initialized({ place, replay: [] })
  const busy = `Internal error: ${first.logFile(id)} is being written by process ${first.process.pid}`
  await expect(second.load(id)).resolves.toEqual({ error: { code: -32603, message: busy } })
})
