import { failureOf, prompt, run, START, textsOf } from './support.ts'

// Long enough for a late word on a busy machine: the agent says it after 50 ms.
const options = { deadlines: { quietMs: 1500 } }

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
    const options = { deadlines: { quietMs: 600_000 } }
    await run({ agent: 'puppet', input: { steps: START.slice(0, 1) }, options })
  })

  test('fails the run if the agent never stops sending', async () => {
    const options = { deadlines: { quietMs: 1000, exitMs: 1000 } }
    expect(await failureOf({ agent: 'puppet', steps: [prompt('forever')], options })).toMatch(
      /^scenario x, after the last step: timed out after 2000 ms waiting for the agent to be quiet for 1000 ms/,
    )
  })
})

describe('settle', () => {
  test('waits until the agent is quiet, and the frames belong to that step', async () => {
    const steps = [prompt('late 50 between'), { op: 'settle', quietMs: 1500 }, prompt('say after')]
    const ran = await run({ agent: 'puppet', steps })
    expect(textsOf(ran)).toEqual(['between', 'after'])
    expect(ran.frameSteps).toEqual([1, 2, 3, 4, 5, 5])
  })

  test('waits for quietMs of the options, or for its own quietMs', async () => {
    const steps = [prompt('late 50 between'), { op: 'settle' }, prompt('say after')]
    expect(textsOf(await run({ agent: 'puppet', steps, options }))).toEqual(['between', 'after'])
  })

  test('fails at its deadline if the agent never stops sending', async () => {
    const options = { deadlines: { stepMs: 2000 } }
    const steps = [prompt('forever'), { op: 'settle', quietMs: 1000 }]
    expect(await failureOf({ agent: 'puppet', steps, options })).toMatch(
      /^scenario x, step 4 \(settle\): timed out after 2000 ms waiting for the agent to be quiet for 1000 ms/,
    )
  })
})
