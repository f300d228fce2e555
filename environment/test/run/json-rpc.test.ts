import { normalizeTranscript } from 'jest-serializer-acp'
import { failureOf, prompt, run, textsOf } from './support.ts'

jest.setTimeout(60_000)

const raw = (message: object) => `raw ${JSON.stringify({ jsonrpc: '2.0', ...message }).replaceAll('"$ID"', '$ID')}`

/** What a prompt's step fails with when the agent sends these lines in it. */
async function faultOf(...lines: string[]): Promise<string> {
  const message = await failureOf({ agent: 'puppet', steps: [prompt(...lines)] })
  expect(message).toMatch(/^scenario x, step 3 \(prompt\): /)
  return message.split('\n\n')[0]?.replace('scenario x, step 3 (prompt): ', '') ?? ''
}

describe('a response is one by JSON-RPC 2.0, or the step fails', () => {
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

  test('a result of null is a result, and an error may have data', async () => {
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

test('a batch is no message of ACP', async () => {
  expect(await faultOf('raw [{"jsonrpc":"2.0","id":$ID,"result":{}}]')).toContain(
    'a line that is not a JSON-RPC 2.0 message',
  )
})

describe('an answer that nobody asked for fails the step', () => {
  // It may come before the step has ended or after.
  test('a second answer to a request', async () => {
    const twice = raw({ id: '$ID', result: {} })
    expect(await failureOf({ agent: 'puppet', steps: [prompt(twice)] })).toMatch(
      /: expected one response to request 3 \(session\/prompt\)\n {2}got {6}a second one: \{"jsonrpc":"2.0","id":3/,
    )
  })

  test('a second answer that comes late', async () => {
    const steps = [prompt('say a'), prompt('raw {"jsonrpc":"2.0","id":2,"result":{}}')]
    expect(await failureOf({ agent: 'puppet', steps })).toContain('expected one response to request 2 (session/new)')
  })

  test.each(['"3"', '3.0', '3e0', '"\\u0033"'])('an id that is %s, and not 3', async (id) => {
    expect(await faultOf(`raw {"jsonrpc":"2.0","id":${id},"result":{}}`)).toMatch(
      `expected the response to session/prompt to repeat the id 3 exactly\n  got      ${id}: {`,
    )
  })
})

describe('an id of the agent', () => {
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

  test('comes back with the text that it had', async () => {
    const ran = await run({ agent: 'raw-ids', steps: [prompt(...IDS)] })
    expect(textsOf(ran).map((line) => /"id":(.+)\}$/.exec(line)?.[1])).toEqual(IDS)
  })

  test('does not become one with another in the golden', async () => {
    const { transcript } = await run({ agent: 'raw-ids', steps: [prompt(...IDS)] })
    const golden = normalizeTranscript(transcript.frames, transcript.volatile).map((frame) => JSON.parse(frame))
    const ids = golden.filter(({ method }) => method === 'no/such_method').map(({ id }) => id)
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, null])
  })
})
