import { normalizeTranscript } from 'jest-serializer-acp'
import { failureOf, prompt, run, textsOf } from './support.ts'

const raw = (message: object) => `raw ${JSON.stringify({ jsonrpc: '2.0', ...message }).replaceAll('"$ID"', '$ID')}`

/** What a prompt's step fails with when the agent sends these lines in it. */
async function faultOf(...lines: string[]): Promise<string> {
  const message = await failureOf({ agent: 'puppet', steps: [prompt(...lines)] })
  expect(message).toMatch(/^scenario x, step 3 \(prompt\): /)
  return message.split('\n\n')[0]?.replace('scenario x, step 3 (prompt): ', '') ?? ''
}

describe('a response that violates JSON-RPC 2.0 fails the step', () => {
  const either = 'expected a response with exactly one of "result" and "error"'
  const error = 'expected an "error" that is an object with an integer "code" and a string "message"'

  test.each<[string, object, string]>([
    ['neither result nor error', { id: '$ID' }, either],
    ['both', { id: '$ID', result: {}, error: { code: 1, message: 'x' } }, either],
    ['both, one of them null', { id: '$ID', result: {}, error: null }, either],
    ['an error that is a text', { id: '$ID', error: 'text' }, error],
    ['an error that is null', { id: '$ID', error: null }, error],
    ['an error that is a list', { id: '$ID', error: [] }, error],
    ['an error without a message', { id: '$ID', error: { code: -32000 } }, error],
    ['a code that is a text', { id: '$ID', error: { code: '-32000', message: 'x' } }, error],
    ['a code that is a fraction', { id: '$ID', error: { code: 1.5, message: 'x' } }, error],
    ['no id', { result: {} }, 'expected a request, a notification or a response'],
    [
      'an id that is an object',
      { id: {}, result: {} },
      'expected the "id" of a message to be a string, an integer or null',
    ],
    ['an id that is a fraction', { id: 1.5, result: {} }, 'expected the "id" of a message to be a string'],
    [
      'an error for no request',
      { id: null, error: { code: -32700, message: 'Parse error' } },
      'expected a response with the id of its request: an error with "id": null says that the agent could not read a message',
    ],
    ['a result for no request', { id: null, result: {} }, 'expected a response to a request that was sent'],
  ])('%s', async (_, message, fault) => {
    expect(await faultOf(raw(message))).toContain(fault)
  })

  test('null is a valid result, and an error may have data', async () => {
    await run({ agent: 'puppet', steps: [prompt(raw({ id: 99, method: 'x' }))] })
    const steps = [{ op: 'promptExpectError', text: 'reject -32000', code: -32000 }]
    await run({ agent: 'puppet', steps })
  })
})

test.each<[string, object, string]>([
  ['a method that is a number', { method: 5 }, 'expected the "method" of a message to be a string'],
  [
    'params that are a text',
    { method: 'x', params: 'y' },
    'expected the "params" of a message to be an object or an array',
  ],
  ['params that are null', { id: 1, method: 'x', params: null }, 'expected the "params" of a message'],
  ['a request with a result', { id: 1, method: 'x', result: {} }, 'expected a request or a response'],
  ['nothing at all', {}, 'expected a request, a notification or a response'],
])('a request or notification with %s fails the step', async (_, message, fault) => {
  expect(await faultOf(raw(message))).toContain(fault)
})

test('a batch is not a message of ACP', async () => {
  expect(await faultOf('raw [{"jsonrpc":"2.0","id":$ID,"result":{}}]')).toContain(
    'a line that is not a JSON-RPC 2.0 message',
  )
})

describe('an unusual encoding of a message', () => {
  const update = (text: string) =>
    `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"session-1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":${text}}}}}`
  const goldenOf = async (...lines: string[]) => {
    const { transcript } = await run({ agent: 'puppet', steps: [prompt(...lines)] })
    return normalizeTranscript(transcript.frames, transcript.volatile).slice(2, -1)
  }

  test('with a byte order mark is noise', async () => {
    expect(await faultOf(`raw \ufeff${update('"a"')}`)).toContain('a line that is not JSON')
  })

  test('a lone surrogate keeps its escape, even next to a path', async () => {
    const texts = (await goldenOf(`raw ${update('"\\ud83d in {{cwd}}/a"')}`, `raw ${update('"\\ud83d"')}`)).join()
    expect(texts).toContain('"text":"\\ud83d in {{cwd}}/a"')
    expect(texts).toContain('"text":"\\ud83d"')
  })
})

describe('a message that is nested too deeply fails the step, and the failure states the limit', () => {
  const params = '{"sessionId":"session-1","options":[{"kind":"allow_once","optionId":$DEEP}]}'

  test.each([
    ['a notification', '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"session-1","update":$DEEP}}'],
    ['a response', '{"jsonrpc":"2.0","id":$ID,"result":$DEEP}'],
    ['an incomplete one', '{"jsonrpc":"2.0","id":$DEEP}'],
    [
      'a request that is answered with a part of it',
      `{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":${params}}`,
    ],
    ['a request with an unknown method', '{"jsonrpc":"2.0","id":1,"method":"x","params":$DEEP}'],
  ])('%s', async (_, line) => {
    const message = await failureOf({
      agent: 'puppet',
      input: { permissions: [{ kind: 'allow_once' }] },
      steps: [prompt(`raw ${line}`)],
    })
    expect(message).toMatch(
      /^scenario x, step 3 \(prompt\): expected a message that can be read\n {2}got {6}one that is nested too deeply: at most 500 levels are read: \{"jsonrpc":"2.0",.*… \(200\d+ characters\)\n/,
    )
    expect(message).not.toContain('RangeError')
  })

  test('a line of a session log that is nested too deeply fails the run', async () => {
    const options = { sessionLogs: true, env: { SESSIONS: '{{sessions}}' } }
    const event = '{"type":"x","seq":0,"time":0,"data":$DEEP}'
    const steps = [prompt(`append $SESSIONS/logs/session-1.jsonl ${event}`)]
    expect(await failureOf({ agent: 'puppet', options, steps })).toMatch(
      /^scenario x, the session logs: .*\n {2}got {6}logs\/session-1\.jsonl:2: nested too deeply: at most 100 levels are read/,
    )
  })
})

describe('an answer without a request fails the step', () => {
  // It may come before the step has ended or after.
  test('a second answer to a request', async () => {
    const twice = raw({ id: '$ID', result: {} })
    expect(await failureOf({ agent: 'puppet', steps: [prompt(twice)] })).toMatch(
      /: expected one response to request 3 \(session\/prompt\)\n {2}got {6}a second one: \{"jsonrpc":"2.0","id":3/,
    )
  })

  test('a late second answer', async () => {
    const steps = [prompt('say a'), prompt('raw {"jsonrpc":"2.0","id":2,"result":{}}')]
    expect(await failureOf({ agent: 'puppet', steps })).toContain('expected one response to request 2 (session/new)')
  })

  test.each(['"3"', '3.0', '3e0', '"\\u0033"'])('the id %s instead of 3', async (id) => {
    expect(await faultOf(`raw {"jsonrpc":"2.0","id":${id},"result":{}}`)).toMatch(
      `expected the response to session/prompt to repeat the id 3 exactly\n  got      ${id}: {`,
    )
  })
})

describe("an id of an agent's request", () => {
  const IDS = [
    '9007199254740995',
    '9007199254740996',
    '1.0',
    '1',
    '-0',
    '0',
    '1e3',
    '1000',
    '"a\\u0062"',
    '"1"',
    '"\\ud800"',
    '""',
    'null',
  ]

  test('is returned with its exact text', async () => {
    const ran = await run({ agent: 'raw-ids', steps: [prompt(...IDS)] })
    expect(textsOf(ran).map((line) => /"id":(.+)\}$/.exec(line)?.[1])).toEqual(IDS)
  })

  test('is never merged with another one in the golden', async () => {
    const { transcript } = await run({ agent: 'raw-ids', steps: [prompt(...IDS)] })
    const golden = normalizeTranscript(transcript.frames, transcript.volatile).map((frame) => JSON.parse(frame))
    const ids = golden.filter(({ method }) => method === 'no/such_method').map(({ id }) => id)
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, null])
  })
})
