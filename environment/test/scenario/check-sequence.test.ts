import { FixtureError } from '../../src/scenario/fault.ts'
import { parseInput } from '../../src/scenario/input/parse-input.ts'

function problems(...steps: object[]): string[] {
  try {
    parseInput(JSON.stringify({ steps }), 'input.json')
    return []
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error
    return error.faults.map(({ message }) => message)
  }
}

const initialize = { op: 'initialize' }
const newSession = { op: 'newSession' }
const background = { op: 'prompt', text: 'x', background: true }
const named = (as: string) => ({ op: 'newSession', as })

test('the first step must be initialize, which is reported once', () => {
  expect(problems(newSession, { op: 'prompt', text: 'x' })).toEqual([
    'step 1 (newSession): the first step must be initialize',
  ])
})

test('the first step after a restart must be initialize', () => {
  expect(problems(initialize, newSession, { op: 'restart' }, { op: 'loadSession' })).toEqual([
    'step 4 (loadSession): the first step after restart must be initialize',
  ])
  expect(problems(initialize, { op: 'restart' })).toEqual([
    'step 2 (restart): is the last step; the first step after restart must be initialize',
  ])
})

test('a step in a session needs a session', () => {
  expect(problems(initialize, { op: 'prompt', text: 'x' })).toEqual([
    'step 2 (prompt): no earlier step made a session (newSession)',
  ])
  expect(problems(initialize, { op: 'newSessionExpectError' }, { op: 'cancel' })).toEqual([
    'step 3 (cancel): no earlier step made a session (newSession)',
  ])
})

test('a step may name only a session that an earlier step made', () => {
  expect(problems(initialize, newSession, named('main'), { op: 'cancel', session: 'mian' })).toEqual(
    ['step 4 (cancel): no earlier step made a session "mian"'].map(
      (start) => `${start}; there is one without a name, "main"`,
    ),
  )
  expect(problems(initialize, named('second'), { op: 'cancel', session: 'secnd' }, named('b'))).toEqual([
    'step 3 (cancel): no earlier step made a session "secnd"; did you mean "second"?',
  ])
})

test('two sessions need different names', () => {
  expect(problems(initialize, named('a'), named('a'))).toEqual(['step 3 (newSession): there is a session "a" already'])
})

test('only the first session may have no name', () => {
  expect(problems(initialize, newSession, newSession)).toEqual([
    'step 3 (newSession): a later session needs a name: "as"',
  ])
})

test('a step without a session uses the only one, or the first one if it has no name', () => {
  expect(problems(initialize, named('a'), { op: 'cancel' })).toEqual([])
  expect(problems(initialize, newSession, named('b'), { op: 'cancel' })).toEqual([])
})

test('a step must say which of several named sessions it means', () => {
  expect(problems(initialize, named('a'), named('b'), { op: 'cancel' })).toEqual([
    'step 4 (cancel): "session" must say which session it is: "a", "b"',
  ])
})

test('every background prompt needs a waitForPrompt', () => {
  expect(problems(initialize, newSession, background, { op: 'cancel' })).toEqual([
    'step 3 (prompt): runs in the background, and no later waitForPrompt waits for it',
  ])
  expect(problems(initialize, newSession, background, { op: 'restart' }, initialize)).toEqual([
    'step 4 (restart): the prompt of step 3 still runs; wait for it first (waitForPrompt)',
  ])
})

test('a session has one prompt at a time', () => {
  expect(
    problems(initialize, newSession, background, { op: 'promptAndCancel', text: 'x' }, { op: 'waitForPrompt' }),
  ).toEqual([
    'step 4 (promptAndCancel): the prompt of step 3 still runs in this session; wait for it first (waitForPrompt)',
  ])
})

test('two sessions may each have a prompt in the background, and a third prompt may be refused', () => {
  expect(
    problems(
      initialize,
      newSession,
      named('b'),
      background,
      { ...background, session: 'b' },
      { op: 'promptExpectError', text: 'x', session: 'b' },
      { op: 'waitForPrompt', session: 'b' },
      { op: 'waitForPrompt' },
    ),
  ).toEqual([])
})

test('waitForPrompt needs a prompt in the background of its own session', () => {
  expect(problems(initialize, newSession, { op: 'prompt', text: 'x' }, { op: 'waitForPrompt' })).toEqual([
    'step 4 (waitForPrompt): no prompt of this session runs in the background',
  ])
  expect(problems(initialize, newSession, named('b'), background, { op: 'waitForPrompt', session: 'b' })).toEqual([
    'step 5 (waitForPrompt): no prompt of this session runs in the background',
    'step 4 (prompt): runs in the background, and no later waitForPrompt waits for it',
  ])
})

test.each(['prompt', 'promptExpectError', 'promptAndCancel'])('%s has either text or content', (op) => {
  expect(problems(initialize, newSession, { op })).toEqual([`step 3 (${op}): needs "text" or "content"`])
  expect(problems(initialize, newSession, { op, text: 'x', content: [] })).toEqual([
    `step 3 (${op}): has both "text" and "content"; a prompt has one of them`,
  ])
})

test.each([{ op: 'promptExpectError', text: 'x' }, { op: 'loadSessionExpectError' }])(
  '$op has either a session or a literal id',
  (step) => {
    expect(problems(initialize, step, { ...step, sessionId: 'nobody' })).toEqual([
      `step 2 (${step.op}): no earlier step made a session (newSession)`,
    ])
    expect(problems(initialize, named('a'), { ...step, session: 'a', sessionId: 'nobody' })).toEqual([
      `step 3 (${step.op}): has both "session" and "sessionId"; a step has one of them`,
    ])
  },
)

test('checks the order of steps up to the first one that cannot be read', () => {
  expect(problems(initialize, { op: 'cancel' }, { op: 'newSesion' }, { op: 'loadSession' })).toEqual([
    'step 3: unknown op "newSesion"; did you mean "newSession"?',
    'step 2 (cancel): no earlier step made a session (newSession)',
  ])
})
