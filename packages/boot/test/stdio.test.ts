import { begins, runs } from '@acp-snapshot/testing/answers'
import { clearUp, plugin, startAgent } from '@acp-snapshot/testing/start-agent'

afterEach(clearUp)

/** Starts an agent, and prompts it: the model streams one chunk, and then hangs. */
async function midTurn() {
  const agent = await startAgent({ replay: [{ kind: 'hang', chunks: begins('Well,') }] })
  await agent.initialize()
  const id = await agent.newSession()
  const answer = agent.prompt(id, 'Speak.')
  await agent.update(id, 'agent_message_chunk Well,')
  return { agent, id, answer }
}

describe('stdout', () => {
  test('carries only JSON-RPC, even when a plugin logs', async () => {
    const patches = [{ insert: { id: 'chatty', name: plugin('chatty.mjs') } }]
    const agent = await startAgent({ replay: [], patches })
    await agent.initialize()
    await expect(agent.end()).resolves.toEqual({ code: 0, signal: null })
    expect(agent.lines.map(({ kind }) => kind)).toEqual(['frame'])
    expect(agent.stderr).toContain('config {}\ninfo\ndebug\n')
    expect(agent.stderr).toContain('table')
  })

  test('that closes ends the agent, even if stdin stays open', async () => {
    const through: [string, ...string[]] = ['bash', '-c', 'set -o pipefail; "$0" "$@" | head -n 1']
    const agent = await startAgent({ replay: [], through })
    await agent.initialize()
    void agent.peer.request('session/new', { cwd: agent.place.cwd, mcpServers: [] })
    await expect(agent.exit()).resolves.toEqual({ code: 1, signal: null })
  })
})

describe('the end of stdin', () => {
  test('is handled after the requests before it, even if all arrive at once', async () => {
    const agent = await startAgent({ replay: [] })
    const { peer, place } = agent
    const answers = [
      peer.request('initialize', { protocolVersion: 1, clientCapabilities: {} }),
      peer.request('session/new', { cwd: place.cwd, mcpServers: [] }),
      peer.request('session/load', { sessionId: 'none', cwd: place.cwd, mcpServers: [] }),
    ]
    await expect(agent.end()).resolves.toEqual({ code: 0, signal: null })
    await expect(Promise.all(answers)).resolves.toMatchObject([
      { result: { protocolVersion: 1 } },
      { result: { sessionId: expect.any(String) } },
      { error: { code: -32002, message: 'no session none' } },
    ])
    expect(agent.stderr).toBe('')
  })

  test('ends a turn as disposed: the prompt is answered as cancelled, and the log is complete', async () => {
    const { agent, id, answer } = await midTurn()
    await expect(agent.end()).resolves.toEqual({ code: 0, signal: null })
    await expect(answer).resolves.toEqual({ result: { stopReason: 'cancelled' } })
    expect(agent.logged(id, 'turn/end')).toEqual([{ turn: 1, reason: { kind: 'disposed' } }])
    expect(agent.log(id).events.at(-1)?.type).toBe('turn/end')
  })

  test('kills a running command', async () => {
    const agent = await startAgent({ replay: [runs(['echo started > mark; sleep 60'])] })
    await agent.initialize()
    const id = await agent.newSession()
    const answer = agent.prompt(id, 'Wait.')
    await agent.update(id, 'tool_call call_1 in_progress')
    await expect(agent.end()).resolves.toEqual({ code: 0, signal: null })
    await expect(answer).resolves.toEqual({ result: { stopReason: 'cancelled' } })
    expect(agent.logged(id, 'tool/result')).toMatchObject([{ callId: 'call_1', isError: true }])
    expect(agent.logged(id, 'turn/end')).toEqual([{ turn: 1, reason: { kind: 'disposed' } }])
  })

  test('is not delayed by a request without a valid id', async () => {
    const agent = await startAgent({ replay: [] })
    agent.process.send({ jsonrpc: '2.0', id: { no: 'id' }, method: 'initialize', params: {} })
    await expect(agent.end()).resolves.toEqual({ code: 0, signal: null })
    expect(agent.lines).toMatchObject([{ value: { id: null, error: { code: -32600 } } }])
  })

  test('ends the agent with code 1 after 3 s if a plugin never disposes', async () => {
    const patches = [{ insert: { id: 'undying', name: plugin('undying.mjs') } }]
    const agent = await startAgent({ replay: [], patches })
    await agent.initialize()
    await expect(agent.end()).resolves.toEqual({ code: 1, signal: null })
    expect(agent.stderr).toBe('acp-agent: a plugin did not dispose within 3000 ms\n')
  })
})

describe('stdin', () => {
  test('with a message above the size limit ends the agent', async () => {
    const agent = await startAgent({ replay: [] })
    await agent.initialize()
    agent.process.send({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 'x'.repeat(33 * 2 ** 20) } })
    await expect(agent.exit()).resolves.toEqual({ code: 1, signal: null })
    expect(agent.stderr).toMatch(/^acp-agent: Incoming ACP data exceeds .*\n$/)
  })
})

describe('SIGTERM', () => {
  test('ends a turn as disposed, answers the prompt, and exits with the code of the signal', async () => {
    const { agent, id, answer } = await midTurn()
    agent.process.signal('SIGTERM')
    await expect(agent.exit()).resolves.toEqual({ code: 143, signal: null })
    await expect(answer).resolves.toEqual({ result: { stopReason: 'cancelled' } })
    expect(agent.logged(id, 'turn/end')).toEqual([{ turn: 1, reason: { kind: 'disposed' } }])
  })
})
