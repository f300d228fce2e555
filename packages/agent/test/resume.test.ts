import { appendFileSync, readFileSync } from 'node:fs'
import type { OverrideEntry } from '@acp-snapshot/session'
import { begins, runs, says } from '@acp-snapshot/testing/answers'
import { clearUp, newPlace, startAgent } from '@acp-snapshot/testing/start-agent'
import { expectBalanced } from './expect-balanced.ts'

afterEach(clearUp)

const END_TURN = { result: { stopReason: 'end_turn' } }

/** Starts a turn, and kills the agent after the first update. */
async function crash(replay: OverrideEntry[], update: string) {
  const place = newPlace()
  const agent = await startAgent({ place, replay })
  await agent.initialize()
  const id = await agent.newSession()
  agent.prompt(id, 'Go.').catch(() => undefined)
  await agent.update(id, update)
  agent.process.signal('SIGKILL')
  await agent.exit()
  return { place, id, log: agent.logFile(id) }
}

/** Loads the session in a fresh process. */
async function afterwards({ place, id }: { place: ReturnType<typeof newPlace>; id: string }, patches?: object[]) {
  const agent = await startAgent({ place, ...(patches && { patches }) })
  await agent.initialize()
  expect(await agent.load(id)).toEqual({ result: {} })
  return agent
}

describe('after a crash', () => {
  test('during the stream, the turn is closed as interrupted, and the next turn works', async () => {
    const crashed = await crash([{ kind: 'hang', chunks: begins('Well,') }, says('OK')], 'agent_message_chunk Well,')
    const agent = await afterwards(crashed)
    const { id } = crashed
    expect(agent.updates(id)).toEqual(['user_message_chunk Go.', 'agent_message_chunk Well,'])
    expectBalanced(agent.log(id))
    await expect(agent.prompt(id, 'Again.')).resolves.toEqual(END_TURN)
    expect(agent.logged(id, 'turn/end')).toEqual([
      { turn: 1, reason: { kind: 'interrupted' } },
      { turn: 2, reason: { kind: 'completed' } },
    ])
    expectBalanced(agent.log(id))
  })

  test('while a tool runs, each call gets a result, and the next turn works', async () => {
    const crashed = await crash([runs(['sleep 60', 'echo never']), says('OK')], 'tool_call call_1 in_progress')
    const agent = await afterwards(crashed)
    const { id } = crashed
    expect(agent.updates(id)).toEqual([
      'user_message_chunk Go.',
      'tool_call call_1 in_progress',
      'tool_call_update call_1 failed',
      'tool_call call_2 in_progress',
      'tool_call_update call_2 failed',
    ])
    await expect(agent.prompt(id, 'Again.')).resolves.toEqual(END_TURN)
    expectBalanced(agent.log(id))
  })

  test('that tore the last line, the complete lines are kept, and the log continues from there', async () => {
    const crashed = await crash([{ kind: 'hang', chunks: begins('Well,') }, says('OK')], 'agent_message_chunk Well,')
    const whole = readFileSync(crashed.log, 'utf8')
    appendFileSync(crashed.log, '{"type":"assistant/chunk","seq":')
    const agent = await afterwards(crashed)
    expect(readFileSync(crashed.log, 'utf8').startsWith(whole)).toBe(true)
    await expect(agent.prompt(crashed.id, 'Again.')).resolves.toEqual(END_TURN)
    expectBalanced(agent.log(crashed.id))
  })

  test('a log that is invalid in any other way is rejected with file and line every time, and stays unchanged', async () => {
    const crashed = await crash([{ kind: 'hang', chunks: begins('Well,') }], 'agent_message_chunk Well,')
    appendFileSync(crashed.log, '{"type":"turn/end","seq":99,"time":0,"data":{}}\n')
    const broken = readFileSync(crashed.log, 'utf8')
    const agent = await startAgent({ place: crashed.place })
    await agent.initialize()
    const lines = broken.split('\n').length - 1
    const message = `Internal error: ${crashed.log}:${lines}: expected seq ${lines - 2}, got 99`
    await expect(agent.load(crashed.id)).resolves.toEqual({ error: { code: -32603, message } })
    await expect(agent.load(crashed.id)).resolves.toEqual({ error: { code: -32603, message } })
    expect(readFileSync(crashed.log, 'utf8')).toBe(broken)
  })

  test('a log that breaks the event contract is rejected every time', async () => {
    const crashed = await crash([{ kind: 'hang', chunks: begins('Well,') }], 'agent_message_chunk Well,')
    const seq = readFileSync(crashed.log, 'utf8').split('\n').length - 2
    appendFileSync(crashed.log, `{"type":"step/end","seq":${seq},"time":0,"data":{"turn":1,"step":7}}\n`)
    const agent = await startAgent({ place: crashed.place })
    await agent.initialize()
    const refusal = { error: { code: -32603, message: expect.stringContaining(`step/end at seq ${seq}: step 7`) } }
    await expect(agent.load(crashed.id)).resolves.toMatchObject(refusal)
    await expect(agent.load(crashed.id)).resolves.toMatchObject(refusal)
    await expect(agent.prompt(crashed.id, 'Go.')).resolves.toMatchObject({ error: { code: -32002 } })
  })
})

describe('the request header', () => {
  const headers = (model: string) => ({
    header: { config: { model }, system: expect.stringContaining('You work in /') },
  })
  const otherModel = [{ replace: { id: 'agent', name: '@acp-snapshot/agent', config: { model: 'other-model' } } }]

  test('is logged once, and after a resume only if it has changed', async () => {
    const place = newPlace()
    const replay = ['1', '2', '3', '4'].map((text) => says(text))
    const first = await startAgent({ place, replay })
    await first.initialize()
    const id = await first.newSession()
    await first.prompt(id, 'One.')
    await first.prompt(id, 'Two.')
    expect(first.logged(id, 'request/header')).toMatchObject([{ ...headers('test-model'), reason: 'initial' }])
    await first.end()

    const same = await afterwards({ place, id })
    await same.prompt(id, 'Three.')
    expect(same.logged(id, 'request/header')).toHaveLength(1)
    await same.end()

    const other = await afterwards({ place, id }, otherModel)
    await other.prompt(id, 'Four.')
    expect(other.logged(id, 'request/header').slice(1)).toMatchObject([
      { header: { config: { model: 'other-model' } }, reason: 'resume' },
    ])
  })

  test('contains the working directory unchanged, whatever its characters', async () => {
    const agent = await startAgent({ replay: [says('OK')] })
    await agent.initialize()
    const cwd = `${agent.place.cwd}/$&`
    const response = await agent.request('session/new', { cwd, mcpServers: [] })
    expect(response).toMatchObject({ result: {} })
    const { sessionId } = ('result' in response ? response.result : {}) as { sessionId: string }
    await agent.prompt(sessionId, 'Speak.')
    expect(agent.logged(sessionId, 'request/header')).toMatchObject([{ header: { system: `You work in ${cwd}.` } }])
  })
})
