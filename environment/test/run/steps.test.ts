import { normalizeTranscript } from 'jest-serializer-acp'
import type { ScenarioRun } from '../../src/run/finished-run.ts'
import { failureOf, prompt, run, START, textsOf } from './support.ts'

const WAIT = { op: 'waitForUpdate', update: 'agent_message_chunk' }

/** During which steps the agent said a text. A step that does not wait for it would leave it to the next one. */
function stepsOf({ transcript, frameSteps }: ScenarioRun, text: string): (number | undefined)[] {
  const said = transcript.frames.map((frame) => JSON.parse(frame).params?.update?.content?.text)
  return frameSteps.filter((_, i) => said[i] === text)
}

test('each frame belongs to the step during which it came', async () => {
  const { frameSteps } = await run({ agent: 'puppet', steps: [prompt('say a', 'say b'), prompt('say c')] })
  expect(frameSteps).toEqual([1, 2, 3, 3, 3, 4, 4])
})

test('promptAndCancel cancels the turn after its first update', async () => {
  const ran = await run({ agent: 'puppet', steps: [{ op: 'promptAndCancel', text: 'say a\nwait\nsay b' }] })
  expect(textsOf(ran)).toEqual(['a', 'b'])
  expect(ran.transcript.frames.at(-1)).toBe('{"jsonrpc":"2.0","id":3,"result":{"stopReason":"cancelled"}}')
})

test('promptAndCancel fails when the response comes first', async () => {
  expect(await failureOf({ agent: 'puppet', steps: [{ op: 'promptAndCancel', text: 'reject 7' }] })).toContain(
    'scenario x, step 3 (promptAndCancel): expected an update of the turn (message, thought, tool call or plan), to cancel the turn after it\n' +
      '  got      the response {"error":{"code":7,"message":"rejected"}}\n',
  )
})

test('promptAndCancel fails when the turn does not end with cancelled', async () => {
  expect(await failureOf({ agent: 'puppet', steps: [{ op: 'promptAndCancel', text: 'say a' }] })).toContain(
    'scenario x, step 3 (promptAndCancel): expected stopReason cancelled\n  got      {"stopReason":"end_turn"}\n',
  )
})

test('promptAndCancel expects another stop reason where the scenario names it', async () => {
  const step = { op: 'promptAndCancel', text: 'say a', stopReason: 'end_turn' } as const
  expect(textsOf(await run({ agent: 'puppet', steps: [step] }))).toEqual(['a'])
  expect(await failureOf({ agent: 'puppet', steps: [{ ...step, text: 'say a\nwait' }] })).toContain(
    'scenario x, step 3 (promptAndCancel): expected stopReason end_turn\n  got      {"stopReason":"cancelled"}\n',
  )
})

describe('promptAndCancel', () => {
  const late = `update ${JSON.stringify({ sessionUpdate: 'available_commands_update', availableCommands: [] })}`
  const of = (sessionUpdate: string) =>
    `update ${JSON.stringify({ sessionUpdate, content: { type: 'text', text: 't' } })}`
  const ask = `begin session/request_permission ${JSON.stringify({ sessionId: 'session-1', options: [] })}`
  const cancelled = (after: string | undefined, ...orders: string[]) => ({
    op: 'promptAndCancel',
    text: orders.join('\n'),
    after,
  })

  const firstOfTurn =
    'expected an update of the turn (message, thought, tool call or plan), to cancel the turn after it\n' +
    '  got      the response {"result":{"stopReason":"end_turn"}}\n'

  test.each(['available_commands_update', 'current_mode_update', 'usage_update', 'user_message_chunk'])(
    'does not take %s for the beginning of the turn',
    async (kind) => {
      expect(await failureOf({ agent: 'puppet', steps: [cancelled(undefined, of(kind))] })).toContain(
        `scenario x, step 3 (promptAndCancel): ${firstOfTurn}`,
      )
    },
  )

  test.each(['agent_message_chunk', 'agent_thought_chunk', 'tool_call', 'tool_call_update', 'plan'])(
    'takes %s for it, also after an update that is not of the turn',
    async (kind) => {
      await run({ agent: 'puppet', steps: [cancelled(undefined, late, of(kind), 'wait')] })
    },
  )

  test.each([
    ['message', 'say a'],
    ['thought', of('agent_thought_chunk')],
    ['toolCall', of('tool_call')],
    ['permission', ask],
    ['nothing', 'error on stderr'],
  ])('cancels after %j once that has come', async (after, order) => {
    const permissions = after === 'permission' ? [{ outcome: 'cancelled' }] : []
    const { transcript } = await run({
      agent: 'puppet',
      input: { permissions },
      steps: [cancelled(after, order, 'wait')],
    })
    expect(transcript.frames.at(-1)).toContain('"stopReason":"cancelled"')
  })

  test.each([
    ['message', of('agent_thought_chunk'), 'a message'],
    ['thought', 'say a', 'a thought'],
    ['toolCall', 'say a', 'a tool call'],
    ['permission', of('tool_call'), 'a permission request'],
  ])('fails when the turn ends without what "after": %j names', async (after, order, name) => {
    expect(await failureOf({ agent: 'puppet', steps: [cancelled(after, order)] })).toContain(
      `step 3 (promptAndCancel): expected ${name}, to cancel the turn after it\n  got      the response {"result":`,
    )
  })

  test('ignores updates that came before its prompt', async () => {
    expect(
      await failureOf({ agent: 'puppet', steps: [prompt('say a'), cancelled(undefined, 'error on stderr')] }),
    ).toContain(`step 4 (promptAndCancel): ${firstOfTurn}`)
  })
})

describe('a placeholder for a path of the run in a step', () => {
  test('is replaced in every string, as data and not as JSON', async () => {
    const names = ['cwd', 'home', 'sessions', 'tmp'] as const
    const all = names.map((name) => `{{${name}}}/"a"`)
    const steps = [
      { op: 'initialize' },
      {
        op: 'newSession',
        cwd: '{{cwd}}/b',
        additionalDirectories: all,
        mcpServers: [{ name: 'm', env: [{ v: '{{tmp}}' }] }],
      },
      {
        op: 'prompt',
        content: [
          { type: 'resource_link', uri: 'file://{{cwd}}/c' },
          { type: 'text', text: '{{other}}' },
        ],
      },
    ]
    const { transcript } = await run({ agent: 'mirror', input: { steps } })
    const paths = transcript.volatile.paths ?? {}
    const [cwd, , , tmp] = names.map((name) => paths[name]?.[0])
    expect(transcript.frames.slice(1).map((frame) => JSON.parse(frame).result._meta)).toEqual([
      {
        cwd: `${cwd}/b`,
        additionalDirectories: names.map((name) => `${paths[name]?.[0]}/"a"`),
        mcpServers: [{ name: 'm', env: [{ v: tmp }] }],
      },
      {
        sessionId: 's',
        prompt: [
          { type: 'resource_link', uri: `file://${cwd}/c` },
          { type: 'text', text: '{{other}}' },
        ],
      },
    ])
    const golden = normalizeTranscript(transcript.frames, transcript.volatile).join('\n')
    expect(golden).toContain('"cwd":"{{cwd}}/b","mcpServers"')
    expect(golden).not.toContain(cwd)
  })

  test('is found by waitForUpdate', async () => {
    const steps = [prompt('say in {{cwd}}/a'), { op: 'prompt', text: 'say {{cwd}}/b', background: true }]
    const found = { op: 'waitForUpdate', update: 'agent_message_chunk', text: '{{cwd}}/b' }
    await run({ agent: 'puppet', steps: [...steps, found, { op: 'waitForPrompt' }] })
  })
})

test('a background prompt runs while other steps run, until waitForPrompt', async () => {
  const steps = [
    { op: 'prompt', text: 'say a\nwait', background: true },
    WAIT,
    { op: 'cancel' },
    { op: 'waitForPrompt', stopReason: 'cancelled' },
    prompt('say b'),
  ]
  expect(textsOf(await run({ agent: 'puppet', steps }))).toEqual(['a', 'b'])
})

test('a background prompt with another stop reason than expected fails waitForPrompt', async () => {
  const steps = [
    { op: 'prompt', text: 'say a', background: true },
    { op: 'waitForPrompt', stopReason: 'cancelled' },
  ]
  expect(await failureOf({ agent: 'puppet', steps })).toContain(
    'step 4 (waitForPrompt): expected stopReason cancelled\n  got      {"stopReason":"end_turn"}\n',
  )
})

test('waitForUpdate waits for an unseen update with its kind and text', async () => {
  const hold = { op: 'prompt', text: 'say "1"\nsay 2\nsay 3\nwait', background: true }
  const steps = [hold, { ...WAIT, text: '"1"' }, { ...WAIT, text: '3' }, { op: 'cancel' }, { op: 'waitForPrompt' }]
  expect(textsOf(await run({ agent: 'puppet', steps }))).toEqual(['"1"', '2', '3'])

  const again = { op: 'prompt', text: 'say 2\nsay 3\nwait\nsay 2', background: true }
  const ran = await run({
    agent: 'puppet',
    steps: [again, { ...WAIT, text: '3' }, { op: 'cancel' }, { ...WAIT, text: '2' }, { op: 'waitForPrompt' }],
  })
  expect(stepsOf(ran, '2').at(-1)).toBe(6)
})

test('waitForUpdate finds an update that came before the response to session/new', async () => {
  const update = 'available_commands_update'
  await run({ agent: 'early-update', steps: [{ op: 'waitForUpdate', update }] })
})

test('steps address sessions by name', async () => {
  const steps = [
    { op: 'newSession', as: 'b' },
    { op: 'prompt', text: 'tell session-2 for b\nwait', background: true },
    { ...WAIT, session: 'b', text: 'for b' },
    { op: 'cancel' },
    { op: 'waitForPrompt', stopReason: 'cancelled' },
    { op: 'prompt', session: 'b', text: 'say from b' },
  ]
  const ran = await run({ agent: 'puppet', steps })
  const ids = ran.transcript.frames.map((frame) => JSON.parse(frame).params?.sessionId).filter(Boolean)
  expect(ids).toEqual(['session-2', 'session-2'])

  const background = { op: 'prompt', text: 'tell session-2 for b\nwait\nsay for b', background: true }
  const other = [steps[0] ?? {}, background, steps[2] ?? {}, { op: 'cancel' }, { ...WAIT, text: 'for b' }]
  const again = await run({ agent: 'puppet', steps: [...other, { op: 'waitForPrompt' }] })
  expect(stepsOf(again, 'for b').at(-1)).toBe(7)
})

describe('restart', () => {
  const env = { SESSIONS: '{{sessions}}' }
  const restarted = [{ op: 'restart' }, { op: 'initialize' }]

  test('starts a new process with the same sessions, and request ids continue', async () => {
    const steps = [...restarted, { op: 'loadSession' }, { op: 'newSession', as: 'b' }, prompt('say hello')]
    const { transcript } = await run({ agent: 'puppet', steps, options: { env } })
    const [first, second, third, loaded, fifth] = transcript.frames.map((frame) => JSON.parse(frame))
    expect([first.id, second.id, third.id, loaded.id, fifth.id]).toEqual([1, 2, 3, 4, 5])
    expect(loaded.result).toEqual({})
    expect(fifth.result).toEqual({ sessionId: 'session-2' })
    expect(transcript.volatile.requestIds).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('fails if the agent does not exit', async () => {
    const options = { deadlines: { exitMs: 100 } }
    expect(await failureOf({ agent: 'stubborn', steps: restarted, options })).toContain(
      'scenario x, step 3 (restart): expected the agent to exit with code 0 within 100 ms after its stdin closed',
    )
  })

  test('has the deadline of a step', async () => {
    const options = { deadlines: { stepMs: 3000, exitMs: 60_000 } }
    expect(await failureOf({ agent: 'stubborn', steps: restarted, options })).toContain(
      'scenario x, step 3 (restart): timed out after 3000 ms waiting for the end of {"op":"restart"}',
    )
  })

  test('marks earlier updates as seen: waitForUpdate waits for new ones', async () => {
    const told = { op: 'prompt', session: 'b', text: 'tell session-1 b', background: true }
    const loaded = [...restarted, { op: 'loadSession' }, { op: 'newSession', as: 'b' }]
    const steps = [prompt('say a'), ...loaded, told, WAIT, { op: 'waitForPrompt', session: 'b' }]
    expect(stepsOf(await run({ agent: 'puppet', steps, options: { env } }), 'b')).toEqual([9])
  })

  test('keeps the stderr of both processes', async () => {
    const steps = [prompt('error one'), ...restarted, { op: 'loadSession' }, prompt('error two')]
    const { stderr } = await run({ agent: 'puppet', steps, options: { env } })
    expect(stderr).toBe('one\ntwo\n')
  })
})

test('newSession sends the parameters of the step in place of the defaults', async () => {
  const asked = { cwd: '/elsewhere', additionalDirectories: ['/a'], mcpServers: [{ name: 'm' }] }
  const steps = [{ op: 'initialize' }, { op: 'newSession', ...asked }]
  const { transcript } = await run({ agent: 'mirror', input: { steps } })
  expect(transcript.frames.map((frame) => JSON.parse(frame).result._meta)).toEqual([
    {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: 'jest-environment-acp', version: '0.1.0' },
    },
    asked,
  ])
})

test('setMode, setConfigOption and the steps that expect errors send their parameters', async () => {
  const steps = [
    ...START,
    { op: 'setMode', modeId: 'plan' },
    { op: 'setConfigOption', configId: 'model', value: 'm' },
    { op: 'prompt', content: [{ type: 'text', text: 'a' }] },
  ]
  const { transcript } = await run({ agent: 'mirror', input: { steps } })
  expect(transcript.frames.slice(2).map((frame) => JSON.parse(frame).result._meta)).toEqual([
    { sessionId: 's', modeId: 'plan' },
    { sessionId: 's', configId: 'model', value: 'm' },
    { sessionId: 's', prompt: [{ type: 'text', text: 'a' }] },
  ])
  const wrong = [...START, { op: 'loadSessionExpectError', sessionId: 'none' }]
  expect(await failureOf({ agent: 'mirror', input: { steps: wrong } })).toContain(
    'step 3 (loadSessionExpectError): expected an error\n  got      the result {"sessionId":"s",',
  )
})
