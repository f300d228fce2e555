import { failureOf, prompt, run } from './support.ts'

const INITIALIZED = '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{}}}'
const CREATED = '{"jsonrpc":"2.0","id":2,"result":{"sessionId":"session-1"}}'
const QUIET = 'The agent wrote nothing to stderr.'

/** A message as it is built: paragraphs, each of some lines. */
function paragraphs(...texts: (string | string[])[]): string {
  return texts.map((text) => (typeof text === 'string' ? text : text.join('\n'))).join('\n\n')
}

test('a failure shows the problem first, then the last five frames, then stderr', async () => {
  const orders = [1, 2, 3, 4, 5].map((n) => `say ${n}`)
  const steps = [prompt('error on the way'), { op: 'prompt', text: [...orders, 'reject -32000'].join('\n') }]
  const update = (n: number) =>
    `  step 4: {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"session-1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"${n}"}}}}`
  expect(await failureOf({ agent: 'puppet', steps })).toBe(
    paragraphs(
      ['scenario x, step 4 (prompt): expected a result', '  got      the error {"code":-32000,"message":"rejected"}'],
      [
        'The last of 9 frames:',
        ...[2, 3, 4, 5].map(update),
        '  step 4: {"jsonrpc":"2.0","id":4,"error":{"code":-32000,"message":"rejected"}}',
      ],
      ['stderr of the agent:', '  | on the way'],
    ),
  )
})

test('noise on stdout fails the current step; the message quotes the line and gives the reason', async () => {
  expect(await failureOf({ agent: 'noisy' })).toBe(
    paragraphs(
      [
        'scenario x, step 1 (initialize): expected only JSON-RPC messages on stdout',
        '  got      a line that is not JSON: noisy agent, version 1',
        '  Write logs to stderr: stdout carries the protocol.',
      ],
      'The agent sent no frames.',
      QUIET,
    ),
  )
})

test('an incomplete message at the end is noise', async () => {
  expect(await failureOf({ agent: 'torn-at-end' })).toBe(
    paragraphs(
      [
        'scenario x, the end of the agent: expected only JSON-RPC messages on stdout',
        '  got      a line that is torn: {"jsonrpc":"2.0","meth',
      ],
      ['The last of 2 frames:', `  step 1: ${INITIALIZED}`, `  step 2: ${CREATED}`],
      QUIET,
    ),
  )
})

test('if the agent exits during a step, the failure shows its exit code and its stderr', async () => {
  expect(await failureOf({ agent: 'dies' })).toBe(
    paragraphs(
      'scenario x, step 1 (initialize): the agent exited with code 3 during this step',
      'The agent sent no frames.',
      ['stderr of the agent:', '  | dies.mjs: out of luck'],
    ),
  )
})

test('if the agent exits in the middle of an answer, the failure shows the incomplete answer', async () => {
  expect(await failureOf({ agent: 'torn' })).toMatch(
    /^scenario x, step 2 \(newSession\): expected only JSON-RPC messages on stdout\n {2}got {6}a line that is torn: \{"jsonrpc":"2.0","id":2,"res\n/,
  )
})

test('if the agent never answers, the failure shows the deadline and the step', async () => {
  expect(await failureOf({ agent: 'silent', options: { deadlines: { stepMs: 300 } } })).toBe(
    paragraphs(
      'scenario x, step 1 (initialize): timed out after 300 ms waiting for the end of {"op":"initialize"}',
      'The agent sent no frames.',
      QUIET,
    ),
  )
})

test('a recording has its own deadline', async () => {
  const deadlines = { stepMs: 60_000, recordStepMs: 200 }
  expect(await failureOf({ agent: 'silent', options: { deadlines }, live: { env: {} } })).toContain(
    'timed out after 200 ms',
  )
})

test('an agent that does not exit at the end of its stdin fails the run and is killed', async () => {
  const options = { deadlines: { exitMs: 100 } }
  expect(await failureOf({ agent: 'stubborn', options })).toContain(
    'scenario x, the end of the agent: expected the agent to exit with code 0 within 100 ms after its stdin closed\n' +
      '  got      no exit; it was stopped with SIGKILL\n',
  )
})

describe('an agent that exits only on SIGTERM', () => {
  const options = { deadlines: { exitMs: 200 } }

  test("fails the run, which names exit: 'sigterm'", async () => {
    expect(await failureOf({ agent: 'stays', options })).toContain(
      "no exit; it was stopped with SIGTERM. If it always needs that, set exit: 'sigterm' in testEnvironmentOptions.acp\n",
    )
  })

  test("passes with exit: 'sigterm'", async () => {
    const finished = await run({ agent: 'stays', options: { ...options, exit: 'sigterm' } })
    expect(finished.transcript.frames).toEqual([INITIALIZED, CREATED])
  })
})

test("exit: 'sigterm' does not excuse an agent that ignores SIGTERM", async () => {
  const options = { deadlines: { exitMs: 100 }, exit: 'sigterm' }
  expect(await failureOf({ agent: 'stubborn', options })).toContain(
    'expected the agent to exit within 100 ms after SIGTERM\n  got      no exit; it was stopped with SIGKILL\n',
  )
})

test('if the agent exits with another code than 0 at the end, the failure shows the code and its stderr', async () => {
  expect(await failureOf({ agent: 'exits-3' })).toBe(
    paragraphs(
      [
        'scenario x, the end of the agent: expected the agent to exit with code 0 within 5000 ms after its stdin closed',
        '  got      code 3',
      ],
      ['The last of 2 frames:', `  step 1: ${INITIALIZED}`, `  step 2: ${CREATED}`],
      ['stderr of the agent:', '  | exits-3.mjs: goodbye'],
    ),
  )
})

test('the failure names a command that cannot be started', async () => {
  expect(await failureOf({ agent: 'echo', options: { command: 'no-such-agent' } })).toMatch(
    /^scenario x, the start of the agent: cannot start the agent "no-such-agent": .+ \(ENOENT\)\..+\n\nThe agent sent no frames\.\n\n/,
  )
})

test('a response without a request is shown', async () => {
  expect(await failureOf({ agent: 'answers-unasked' })).toContain(
    'scenario x, step 2 (newSession): expected a response to a request that was sent and is not answered yet\n' +
      '  got      {"jsonrpc":"2.0","id":999,"result":{"sessionId":"session-1"}}\n',
  )
})

test('a missing error and an error with another code fail the step that expects one', async () => {
  const expectError = (more: object) => ({ op: 'promptExpectError', text: 'reject -32000', ...more })
  expect(await failureOf({ agent: 'puppet', steps: [expectError({ text: 'say hello' })] })).toContain(
    'scenario x, step 3 (promptExpectError): expected an error\n  got      the result {"stopReason":"end_turn"}\n',
  )
  expect(await failureOf({ agent: 'puppet', steps: [expectError({ code: -32602 })] })).toContain(
    'expected an error with code -32602\n  got      the error {"code":-32000,"message":"rejected"}\n',
  )
  await run({ agent: 'puppet', steps: [expectError({}), expectError({ code: -32000 })] })
})

test('newSession fails if the result has no sessionId', async () => {
  expect(await failureOf({ agent: 'no-session-id' })).toContain(
    'scenario x, step 2 (newSession): expected a result with a sessionId\n  got      {}\n',
  )
})

test('stopping a run ends its agent', async () => {
  const abort = new AbortController()
  const stopped = failureOf({ agent: 'puppet', steps: [prompt('wait')], signal: abort.signal })
  setImmediate(() => abort.abort())
  expect(await stopped).toMatch(/^scenario x, .*: the run was stopped\n/)
})

test('a run can be stopped before it begins', async () => {
  expect(await failureOf({ agent: 'puppet', signal: AbortSignal.abort() })).toContain('the run was stopped')
})
