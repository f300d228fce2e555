import { failureOf, prompt, run, type Staged, textsOf } from './support.ts'

const OPTIONS = [{ optionId: 'yes', kind: 'allow_once', name: 'Yes' }]
const ask = (sessionId: string) =>
  `call session/request_permission ${JSON.stringify({ sessionId, toolCall: { title: 'rm' }, options: OPTIONS })}`
const ASK = ask('session-1')
const BEGIN = ASK.replace('call', 'begin')
const LEAVE_OPEN = { kind: 'leaveOpen' }
const CANCELLED = '{"result":{"outcome":{"outcome":"cancelled"}}}'
const SELECTED = '{"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}'

function cancelled(after: string | undefined, ...orders: string[]): object {
  return { op: 'promptAndCancel', text: orders.join('\n'), after }
}

const left = (steps: object[], permissions: object[] = [LEAVE_OPEN]): Staged => ({
  agent: 'puppet',
  input: { permissions },
  steps,
})

describe('a permission that is left open', () => {
  test('is answered with cancelled when session/cancel is sent', async () => {
    const ran = await run(left([cancelled('permission', BEGIN, 'wait', 'join')]))
    expect(textsOf(ran)).toEqual([CANCELLED])
    expect(ran.transcript.frames.at(-1)).toContain('"stopReason":"cancelled"')
  })

  test('is answered after the cancel of a background prompt, and not before', async () => {
    const steps = [
      { op: 'prompt', text: [ASK, 'say on'].join('\n'), background: true },
      { op: 'settle' },
      { op: 'cancel' },
      { op: 'waitForPrompt' },
    ]
    const ran = await run(left(steps))
    expect(textsOf(ran)).toEqual([CANCELLED, 'on'])
    expect(ran.frameSteps.slice(-3).every((step) => step > 4)).toBe(true)
  })

  test('is cancelled at once if the request comes after the cancel', async () => {
    expect(textsOf(await run(left([cancelled('message', 'say a', 'wait', ASK)])))).toEqual(['a', CANCELLED])
  })

  test('waits for the cancel of its own session', async () => {
    const background = (session: string | undefined, id: string) => ({
      op: 'prompt',
      session,
      text: ask(id),
      background: true,
    })
    const steps = [
      { op: 'newSession', as: 'b' },
      background(undefined, 'session-1'),
      { op: 'settle' },
      background('b', 'session-2'),
      { op: 'settle' },
      { op: 'cancel', session: 'b' },
      { op: 'waitForPrompt', session: 'b' },
      { op: 'cancel' },
      { op: 'waitForPrompt' },
    ]
    const ran = await run(left(steps, [LEAVE_OPEN, LEAVE_OPEN]))
    expect(textsOf(ran)).toEqual([CANCELLED, CANCELLED])
    const answered = ran.transcript.frames.flatMap((frame, i) => {
      const { params } = JSON.parse(frame)
      return params?.update ? [[params.sessionId, ran.frameSteps[i]]] : []
    })
    expect(answered).toEqual([
      ['session-1', 11],
      ['session-2', 9],
    ])
  })

  test('immediately fails a step that waits for the end of the turn', async () => {
    const steps = [prompt(ASK), { op: 'cancel' }]
    expect(await failureOf(left(steps))).toMatch(
      /^scenario x, step 3 \(prompt\): expected a step that can cancel the turn while a permission request is left open: .*\n {2}got {6}prompt, which waits/,
    )
  })

  test('also fails a turn that ends while the request is open', async () => {
    const begun = { op: 'prompt', text: BEGIN, background: true }
    const steps = [begun, { op: 'settle' }, { op: 'waitForPrompt' }, { op: 'cancel' }]
    expect(await failureOf(left(steps))).toContain('step 5 (waitForPrompt): expected a step that can cancel the turn')
  })

  test.each([
    ['at the end', [], 'after the last step'],
    ['at a restart', [{ op: 'restart' }, { op: 'initialize' }], 'step 5 (restart)'],
  ])('for a session that the script never cancels fails the run %s', async (_, more, place) => {
    const steps = [cancelled('nothing', 'wait'), prompt(ask('child').replace('call', 'begin')), ...more]
    expect(await failureOf(left(steps))).toContain(
      `scenario x, ${place}: expected session/cancel for every permission request that is left open (promptAndCancel or cancel)\n` +
        '  got      none since the request for rm, in session child\n',
    )
  })

  test('is a fault of the fixture if no step cancels', async () => {
    expect(await failureOf(left([prompt(ASK)]))).toContain(
      'input.json: "permissions[0]": leaves a request open until session/cancel, and no step sends it (promptAndCancel, cancel)',
    )
  })
})

test('a cancel does not answer the requests of the next turn', async () => {
  const steps = [cancelled('permission', BEGIN, 'wait'), prompt(BEGIN, 'join')]
  expect(await failureOf(left(steps, [LEAVE_OPEN, LEAVE_OPEN]))).toContain(
    'scenario x, step 4 (prompt): expected a step that can cancel the turn while a permission request is left open',
  )
})

describe('an unused answer of the script fails the run', () => {
  test('when the agent never asks', async () => {
    expect(await failureOf(left([], [{ kind: 'allow_once' }]))).toContain(
      'scenario x, the permissions: expected 1 permission request, one for each answer in "permissions"\n' +
        '  got      0: {"kind":"allow_once"}, permissions[0] of input.json, was not used\n',
    )
  })

  test('when the agent asks less often', async () => {
    expect(await failureOf(left([prompt(ASK)], [{ kind: 'allow_once' }, { optionId: 'no' }]))).toContain(
      'got      1: {"optionId":"no"}, permissions[1] of input.json, was not used\n',
    )
  })

  test('but not when all answers are used', async () => {
    expect(textsOf(await run(left([prompt(ASK)], [{ kind: 'allow_once' }])))).toEqual([SELECTED])
  })
})

describe('an answer with "for"', () => {
  const OPTIONS = [
    { optionId: 'yes', kind: 'allow_once' },
    { optionId: 'no', kind: 'reject_once' },
  ]
  const about = (toolCall: object) =>
    `call session/request_permission ${JSON.stringify({ sessionId: 'session-1', toolCall, options: OPTIONS })}`
  const EDIT = about({ toolCallId: 't1', title: 'Write {{cwd}}/a', kind: 'edit' })
  const EXECUTE = about({ toolCallId: 't2', title: 'rm', kind: 'execute' })
  const selected = (optionId: string) => SELECTED.replace('yes', optionId)
  const allow = (more: object = {}) => ({ kind: 'allow_once', ...more })
  const reject = (more: object = {}) => ({ kind: 'reject_once', ...more })

  test('answers the requests with this kind or this title, in whatever order they come', async () => {
    const permissions = [allow({ for: 'execute' }), reject({ for: 'Write {{cwd}}/a' }), allow({ for: 'edit' })]
    expect(textsOf(await run(left([prompt(EDIT, EXECUTE, EDIT)], permissions)))).toEqual(
      ['no', 'yes', 'yes'].map(selected),
    )
  })

  test('may name a port of the run', async () => {
    const ask = about({ toolCallId: 't1', title: 'Open http://localhost:{{port.2}}/' })
    const permissions = [reject(), allow({ for: 'Open http://localhost:{{port.2}}/' })]
    expect(textsOf(await run(left([prompt(ask, EXECUTE)], permissions)))).toEqual(['yes', 'no'].map(selected))
  })

  test('answers also for a session that the client does not know', async () => {
    const ask = EDIT.replace('session-1', 'session-9')
    expect(textsOf(await run(left([prompt(ask)], [allow({ for: 'edit' })])))).toEqual([selected('yes')])
  })

  test('leaves the others to the answers without it, in order', async () => {
    const permissions = [allow(), reject({ for: 'edit' }), reject()]
    expect(textsOf(await run(left([prompt(EXECUTE, EDIT, EXECUTE)], permissions)))).toEqual(
      ['yes', 'no', 'no'].map(selected),
    )
  })

  test('knows title and kind from the updates of the tool call, if the request does not say them', async () => {
    const update = (value: object) => `update ${JSON.stringify({ toolCallId: 't3', ...value })}`
    const orders = [
      update({ sessionUpdate: 'tool_call', title: 'Look', kind: 'read' }),
      update({ sessionUpdate: 'tool_call_update', title: 'Look up', kind: null }),
      about({ toolCallId: 't3' }),
      about({ toolCallId: 't3' }),
    ]
    const permissions = [allow({ for: 'Look up' }), reject({ for: 'read' })]
    expect(textsOf(await run(left([prompt(...orders)], permissions)))).toEqual(['yes', 'no'].map(selected))
  })

  test('and "times": "any" answers any number of requests, also none', async () => {
    const permissions = [reject({ for: 'edit', times: 'any' }), allow({ for: 'delete', times: 'any' }), allow()]
    expect(textsOf(await run(left([prompt(EDIT, EXECUTE, EDIT, EDIT)], permissions)))).toEqual(
      ['no', 'yes', 'no', 'no'].map(selected),
    )
  })

  test('can leave a request open', async () => {
    const permissions = [allow(), { kind: 'leaveOpen', for: 'edit' }]
    const orders = [EDIT.replace('call', 'begin'), 'wait', 'join', EXECUTE]
    expect(textsOf(await run(left([cancelled('permission', ...orders)], permissions)))).toEqual([CANCELLED, SELECTED])
  })

  test('fails a request that no answer fits, and shows the request and the answers', async () => {
    const permissions = [allow({ for: 'edit' }), reject({ for: 'read' }), allow({ for: 'delete', times: 'any' })]
    expect(await failureOf(left([prompt(EDIT, EXECUTE)], permissions))).toContain(
      'scenario x, step 3 (prompt): expected a permission request that an answer in "permissions" of input.json is for: ' +
        '{"kind":"allow_once","for":"edit"} (used), {"kind":"reject_once","for":"read"}, ' +
        '{"kind":"allow_once","for":"delete","times":"any"}\n' +
        '  got      session/request_permission for rm (kind execute), options [',
    )
  })

  test('that no request uses fails the run', async () => {
    const permissions = [allow({ for: 'read' }), allow()]
    expect(await failureOf(left([prompt(EXECUTE)], permissions))).toContain(
      'scenario x, the permissions: expected 2 permission requests, one for each answer in "permissions"\n' +
        '  got      1: {"kind":"allow_once","for":"read"}, permissions[0] of input.json, was not used\n',
    )
  })

  test('does not fit a request that says neither title nor kind', async () => {
    expect(await failureOf(left([prompt(about({ toolCallId: 't' }))], [allow({ for: 'edit' })]))).toContain(
      'got      session/request_permission for undefined, options [',
    )
  })
})
