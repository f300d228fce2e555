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
