import { failureOf, prompt, run, START, textsOf } from './support.ts'

// Long enough for a late word on a busy machine: the agent says it after 50 ms.
const options = { settleMs: 1500 }

describe('a frame after the last response', () => {
  test('belongs to the run', async () => {
    const ran = await run({ agent: 'puppet', steps: [prompt('late 50 afterwards')], options })
    expect(textsOf(ran)).toEqual(['afterwards'])
    expect(ran.frameSteps.at(-1)).toBe(3)
  })

  test('belongs to the run before a restart as well', async () => {
    const steps = [prompt('late 50 afterwards'), { op: 'restart' }, { op: 'initialize' }]
    expect(textsOf(await run({ agent: 'puppet', steps, options }))).toEqual(['afterwards'])
  })

  test('restarts the wait for silence', async () => {
    const steps = [prompt('late 50 one', 'late 1000 two')]
    expect(textsOf(await run({ agent: 'puppet', steps, options }))).toEqual(['one', 'two'])
  })

  test('is not waited for without a session', async () => {
    const options = { settleMs: 600_000 }
    await run({ agent: 'puppet', input: { steps: START.slice(0, 1) }, options })
  })

  test('fails the run if the agent never stops sending', async () => {
    const options = { settleMs: 1000, deadlines: { exitMs: 1000 } }
    const steps = [{ op: 'setMode', modeId: 'any' }]
    expect(await failureOf({ agent: 'puppet', steps, options })).toMatch(
      /^scenario x, after the last step: timed out after 2000 ms waiting for the agent to be quiet for 1000 ms/,
    )
  })
})

test('before a restart, an agent that never stops sending fails the run', async () => {
  const options = { settleMs: 1000, deadlines: { exitMs: 1000 } }
  const steps = [{ op: 'setMode', modeId: 'any' }, { op: 'restart' }, { op: 'initialize' }]
  expect(await failureOf({ agent: 'puppet', steps, options })).toMatch(
    /^scenario x, step 4 \(restart\): timed out after 2000 ms waiting for the agent to be quiet for 1000 ms/,
  )
})

describe('settle', () => {
  test('waits until the agent is quiet, and the frames belong to that step', async () => {
    // Later than the default of 50 ms.
    const steps = [prompt('late 400 between'), { op: 'settle', ms: 1500 }, prompt('say after')]
    const ran = await run({ agent: 'puppet', steps })
    expect(textsOf(ran)).toEqual(['between', 'after'])
    expect(ran.frameSteps).toEqual([1, 2, 3, 4, 5, 5])
  })

  test('waits for settleMs of the options', async () => {
    const steps = [prompt('late 50 between'), { op: 'settle' }, prompt('say after')]
    expect(textsOf(await run({ agent: 'puppet', steps, options }))).toEqual(['between', 'after'])
  })

  test('fails at its deadline if the agent never stops sending', async () => {
    const options = { deadlines: { stepMs: 2000 } }
    const steps = [prompt('forever'), { op: 'settle', ms: 1000 }]
    expect(await failureOf({ agent: 'puppet', steps, options })).toMatch(
      /^scenario x, step 4 \(settle\): timed out after 2000 ms waiting for the agent to be quiet for 1000 ms/,
    )
  })
})

describe('settleMs', () => {
  const late = 'late 50 afterwards'

  test.each<[string, object[]]>([
    ['prompt', [prompt(late)]],
    ['promptExpectError', [{ op: 'promptExpectError', text: `${late}\nreject 7` }]],
    ['promptAndCancel', [{ op: 'promptAndCancel', text: `${late}\nwait`, after: 'nothing' }]],
    ['waitForPrompt', [{ op: 'prompt', text: late, background: true }, { op: 'waitForPrompt' }]],
  ])('keeps an update that follows the end of a turn in the step %s', async (op, turn) => {
    const ran = await run({ agent: 'puppet', steps: [...turn, prompt('say next')], options })
    expect(textsOf(ran)).toEqual(['afterwards', 'next'])
    const step = ran.frameSteps.at(ran.transcript.frames.findIndex((frame) => frame.includes('afterwards'))) ?? 0
    expect(ran.scenario.input.steps[step - 1]?.op).toBe(op)
  })

  test('does not wait after a turn while another one runs in the background', async () => {
    const steps = [
      { op: 'newSession', as: 'b' },
      { op: 'prompt', session: 'b', text: 'forever\nwait', background: true },
      prompt('say a'),
      { op: 'cancel', session: 'b' },
      { op: 'waitForPrompt', session: 'b' },
    ]
    const options = { settleMs: 1000, deadlines: { exitMs: 1000 } }
    expect(await failureOf({ agent: 'puppet', steps, options })).toContain(
      'scenario x, step 7 (waitForPrompt): timed out after 2000 ms waiting for the agent to be quiet for 1000 ms',
    )
  })

  test('fails the step if the agent never stops sending after its turn', async () => {
    const options = { settleMs: 1000, deadlines: { exitMs: 1000 } }
    expect(await failureOf({ agent: 'puppet', steps: [prompt('forever')], options })).toMatch(
      /^scenario x, step 3 \(prompt\): timed out after 2000 ms waiting for the agent to be quiet for 1000 ms/,
    )
  })

  test('if left out, adds no wait after a turn', async () => {
    const steps = [prompt('forever'), prompt('reject 7')]
    expect(await failureOf({ agent: 'puppet', steps })).toContain('scenario x, step 4 (prompt): expected a result')
  })
})
