import { begins, runs, says } from '@acp-snapshot/testing/answers'
import { clearUp, startAgent } from '@acp-snapshot/testing/start-agent'

afterAll(clearUp)

const CANCELLED = { result: { stopReason: 'cancelled' } }
const END_TURN = { result: { stopReason: 'end_turn' } }
const aborted = (turn: number, reason = 'session/cancel') => ({ turn, reason: { kind: 'aborted', reason } })

async function withSession(replay: NonNullable<Parameters<typeof startAgent>[0]>['replay'] & object) {
  const agent = await startAgent({ replay })
  await agent.initialize()
  return { agent, id: await agent.newSession() }
}

test('a turn is cancelled before the model has sent anything, and the session continues', async () => {
  const { agent, id } = await withSession([{ kind: 'hang' }, says('OK')])
  const answer = agent.prompt(id, 'Speak.')
  agent.cancel(id)
  await expect(answer).resolves.toEqual(CANCELLED)
  expect(agent.updates(id)).toEqual([])
  await expect(agent.prompt(id, 'Again.')).resolves.toEqual(END_TURN)
  expect(agent.logged(id, 'turn/end')).toEqual([aborted(1), { turn: 2, reason: { kind: 'completed' } }])
})

test('a turn is cancelled during the stream: its chunks stay in the log, but become no message', async () => {
  const { agent, id } = await withSession([{ kind: 'hang', chunks: begins('Well,') }])
  const answer = agent.prompt(id, 'Speak.')
  await agent.update(id, 'agent_message_chunk Well,')
  agent.cancel(id)
  await expect(answer).resolves.toEqual(CANCELLED)
  expect(agent.logged(id, 'assistant/chunk')).toHaveLength(2)
  expect(agent.logged(id, 'assistant/message')).toEqual([])
  expect(agent.logged(id, 'turn/end')).toEqual([aborted(1)])
})

test('a turn is cancelled while a tool runs: each call has a result, and no later call is run', async () => {
  const { agent, id } = await withSession([runs(['sleep 60', 'touch never']), says('OK')])
  const answer = agent.prompt(id, 'Run them.')
  await agent.update(id, 'tool_call call_1 in_progress')
  agent.cancel(id)
  await expect(answer).resolves.toEqual(CANCELLED)
  expect(agent.updates(id)).toEqual([
    'tool_call call_1 in_progress',
    'tool_call_update call_1 failed',
    'tool_call call_2 in_progress',
    'tool_call_update call_2 failed',
  ])
  expect(agent.logged(id, 'tool/result')).toMatchObject([
    { callId: 'call_1', error: { code: 'ABORTED' } },
    { callId: 'call_2', error: { code: 'ABORTED' } },
  ])
  await expect(agent.prompt(id, 'Again.')).resolves.toEqual(END_TURN)
})

test('cancelling an idle session has no effect, not even on the next turn', async () => {
  const { agent, id } = await withSession([says('OK')])
  agent.cancel(id)
  agent.cancel('no-such-session')
  await expect(agent.prompt(id, 'Speak.')).resolves.toEqual(END_TURN)
  agent.cancel(id)
  await expect(agent.end()).resolves.toEqual({ code: 0, signal: null })
  expect(agent.stderr).toBe('')
})

test('cancelling twice is the same as cancelling once', async () => {
  const { agent, id } = await withSession([{ kind: 'hang', chunks: begins('Well,') }, says('OK')])
  const answer = agent.prompt(id, 'Speak.')
  await agent.update(id, 'agent_message_chunk Well,')
  agent.cancel(id)
  agent.cancel(id)
  await expect(answer).resolves.toEqual(CANCELLED)
  await expect(agent.prompt(id, 'Again.')).resolves.toEqual(END_TURN)
})

describe('$/cancel_request', () => {
  // The ids of the requests: 1 initialize, 2 session/new, 3 the first prompt, 4 the second.
  test('of a prompt cancels its turn', async () => {
    const { agent, id } = await withSession([{ kind: 'hang', chunks: begins('Well,') }])
    const answer = agent.prompt(id, 'Speak.')
    await agent.update(id, 'agent_message_chunk Well,')
    agent.peer.notify('$/cancel_request', { requestId: 3 })
    await expect(answer).resolves.toEqual(CANCELLED)
    expect(agent.logged(id, 'turn/end')).toEqual([aborted(1, 'the request was cancelled')])
  })

  test('of a rejected prompt does not affect the running turn', async () => {
    const { agent, id } = await withSession([{ kind: 'hang', chunks: begins('Well,') }])
    const answer = agent.prompt(id, 'Speak.')
    await agent.update(id, 'agent_message_chunk Well,')
    const second = agent.prompt(id, 'And now?')
    agent.peer.notify('$/cancel_request', { requestId: 4 })
    await expect(second).resolves.toMatchObject({ error: { code: -32600 } })
    agent.cancel(id)
    await expect(answer).resolves.toEqual(CANCELLED)
    expect(agent.logged(id, 'turn/end')).toEqual([aborted(1)])
  })
})
