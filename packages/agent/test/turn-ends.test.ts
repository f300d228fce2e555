import { deriveMessages } from '@acp-snapshot/session'
import { begins, calls, runs, says } from '@acp-snapshot/testing/answers'
import { type Agent, clearUp, plugin, startAgent } from '@acp-snapshot/testing/start-agent'
import { expectBalanced } from './expect-balanced.ts'

afterAll(clearUp)

type Started = { agent: Agent; id: string }

async function withSession(options: Parameters<typeof startAgent>[0]): Promise<Started> {
  const agent = await startAgent(options)
  await agent.initialize()
  return { agent, id: await agent.newSession() }
}

/** Runs one turn. Returns the response and the `turn/end` event; expects a balanced log. */
async function turn({ agent, id }: Started, text: string) {
  const response = await agent.prompt(id, text)
  expectBalanced(agent.log(id))
  return { response, end: agent.logged(id, 'turn/end').at(-1) }
}

const error = (message: string) => ({ error: { code: -32603, message: `Internal error: ${message}` } })
const result = (stopReason: string) => ({ result: { stopReason } })

describe('a model that ends its stream with', () => {
  test('error fails the turn with the message of the model', async () => {
    const finish = { kind: 'error' as const, message: 'overloaded', code: 'OVERLOADED' }
    const started = await withSession({ replay: [says('Well,', finish)] })
    await expect(turn(started, 'Speak.')).resolves.toMatchObject({
      response: error('overloaded'),
      end: { turn: 1, reason: { kind: 'error', step: 1, message: 'overloaded', code: 'OVERLOADED' } },
    })
    expect(started.agent.logged(started.id, 'assistant/message')).toEqual([])
  })

  test('error and no message also fails the turn', async () => {
    const started = await withSession({ replay: [says('Well,', { kind: 'error' })] })
    const message = "the model's stream ended with error"
    await expect(turn(started, 'Speak.')).resolves.toMatchObject({
      response: error(message),
      end: { reason: { kind: 'error', step: 1, message, code: 'PROVIDER' } },
    })
  })

  test('aborted without a cancel ends the turn as aborted', async () => {
    const started = await withSession({ replay: [says('Well,', { kind: 'aborted', message: 'by the provider' })] })
    await expect(turn(started, 'Speak.')).resolves.toMatchObject({
      response: result('cancelled'),
      end: { reason: { kind: 'aborted', reason: 'by the provider' } },
    })
  })

  test('max-tokens and a call in the answer gets a result for the call, which is not run', async () => {
    const started = await withSession({ replay: [runs(['touch made'], { kind: 'max-tokens' })] })
    await expect(turn(started, 'Run it.')).resolves.toMatchObject({
      response: result('max_tokens'),
      end: { reason: { kind: 'max-tokens' } },
    })
    const { agent, id } = started
    expect(agent.logged(id, 'tool/result')).toMatchObject([{ callId: 'call_1', error: { code: 'MAX_TOKENS' } }])
    expect(agent.updates(id)).toEqual(['tool_call call_1 in_progress', 'tool_call_update call_1 failed'])
  })
})

describe('a model that refuses', () => {
  test('ends the turn as refused, and its calls get results but are not run', async () => {
    const refusal = { kind: 'refusal' as const, message: 'no' }
    const started = await withSession({ replay: [runs(['touch made'], refusal), says('Hello.')] })
    await expect(turn(started, 'Run it.')).resolves.toMatchObject({
      response: result('refusal'),
      end: { reason: { kind: 'rejected', reason: 'no' } },
    })
    const { agent, id } = started
    expect(agent.logged(id, 'tool/result')).toMatchObject([{ callId: 'call_1', error: { code: 'REFUSAL' } }])
    await expect(turn(started, 'Say hello.')).resolves.toMatchObject({ response: result('end_turn') })
    const history = deriveMessages(agent.log(id).events).map(({ content }) => content)
    expect(history).toEqual([[{ type: 'text', text: 'Say hello.' }], [{ type: 'text', text: 'Hello.' }]])
  })

  test('without a reason ends the turn with a default reason', async () => {
    const started = await withSession({ replay: [says('', { kind: 'refusal' })] })
    await expect(turn(started, 'Do it.')).resolves.toMatchObject({
      end: { reason: { kind: 'rejected', reason: 'the model refused to answer' } },
    })
  })
})

describe('a model whose stream', () => {
  let started: Started
  beforeAll(async () => {
    started = await withSession({
      patches: [
        { disable: { id: 'replay', name: '@acp-snapshot/llm-replay' } },
        { insert: { id: 'model', name: plugin('odd-model.mjs') } },
      ],
    })
  })

  test.each([
    ['throws', 'cannot read the answer', 'INTERNAL'],
    ['throws at once', 'no error at all', 'INTERNAL'],
    ['never finishes', "the model's stream ended before it finished", 'INCOMPLETE'],
    ['goes on after the finish', "the model's stream sent text-delta after finish", 'INTERNAL'],
    ['is of no model', 'no such model', 'INTERNAL'],
  ])('%s fails only that turn', async (text, message, code) => {
    await expect(turn(started, text)).resolves.toMatchObject({
      response: error(message),
      end: { reason: { kind: 'error', step: 1, message, code } },
    })
    await expect(turn(started, 'answers')).resolves.toMatchObject({ response: result('end_turn') })
  })

  test.each(['is deaf', 'is deaf and talks on'])('%s to a cancel does not block the turn', async (text) => {
    const { agent, id } = started
    const told = agent.updates(id).length
    const ended = turn(started, text)
    while (agent.updates(id).length === told) await new Promise(setImmediate)
    agent.cancel(id)
    await expect(ended).resolves.toMatchObject({
      response: result('cancelled'),
      end: { reason: { kind: 'aborted', reason: 'session/cancel' } },
    })
    await expect(turn(started, 'answers')).resolves.toMatchObject({ response: result('end_turn') })
  })

  test('is deaf does not block the shutdown of the agent either', async () => {
    const { agent, id } = started
    const told = agent.updates(id).length
    const answer = agent.prompt(id, 'is deaf')
    while (agent.updates(id).length === told) await new Promise(setImmediate)
    await expect(agent.end()).resolves.toEqual({ code: 0, signal: null })
    await expect(answer).resolves.toEqual(result('cancelled'))
    expectBalanced(agent.log(id))
  })
})

describe('tool calls', () => {
  test('of one answer each get a result, in the order in which the model requested them', async () => {
    const commands = ['sleep 0.2; echo slow', 'echo quick', 'exit 3']
    const started = await withSession({ replay: [runs(commands), says('Done.')] })
    await expect(turn(started, 'Run them.')).resolves.toMatchObject({ response: result('end_turn') })
    const { agent, id } = started
    const order = agent
      .log(id)
      .events.filter(({ type }) => type.startsWith('tool/'))
      .map(({ type, data, seq, sourceEventSeqs }) => ({ type, data, seq, sourceEventSeqs }))
    expect(order).toMatchObject(
      [
        ['call_1', 'slow\n'],
        ['call_2', 'quick\n'],
        ['call_3', '(no output)\n[exit code: 3]'],
      ].flatMap(([callId, text], i) => [
        { type: 'tool/call', data: { callId } },
        {
          type: 'tool/result',
          data: { callId, isError: false, content: [{ type: 'text', text }] },
          sourceEventSeqs: [order[2 * i]?.seq],
        },
      ]),
    )
  })

  test('with invalid arguments get an error result, and the turn continues', async () => {
    const started = await withSession({ replay: [calls(['{"command":', '{"cmd":"ls"}']), says('Sorry.')] })
    await expect(turn(started, 'Run them.')).resolves.toMatchObject({ response: result('end_turn') })
    expect(started.agent.logged(started.id, 'tool/result')).toMatchObject([{ isError: true }, { isError: true }])
  })

  test('without end are stopped at the step limit', async () => {
    const started = await withSession({ replay: [runs(['echo 1']), runs(['echo 2']), runs(['echo 3'])] })
    const message = 'the turn took 3 steps and did not end'
    await expect(turn(started, 'Run on.')).resolves.toMatchObject({
      response: result('max_turn_requests'),
      end: { reason: { kind: 'error', step: 3, message, code: 'MAX_STEPS' } },
    })
    expect(started.agent.logged(started.id, 'step/end')).toHaveLength(3)
  })
})

test('the history sent to the model grows with each turn, including a failed one', async () => {
  const replay = [{ kind: 'throw' as const, chunks: begins('Well,'), message: 'cut', code: 'SERVER' }, says('OK')]
  const started = await withSession({ replay })
  await turn(started, 'One.')
  await turn(started, 'Two.')
  expect(started.agent.logged(started.id, 'user/message')).toHaveLength(2)
  expect(started.agent.logged(started.id, 'assistant/message')).toHaveLength(1)
})
