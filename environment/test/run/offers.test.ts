import { normalizeTranscript } from 'jest-serializer-acp'
import { FILES, failureOf, prompt, run, type Staged, textsOf } from './support.ts'

const call = (method: string, params: object = {}) => `call ${method} ${JSON.stringify(params)}`

/** What the client answered, in order. */
async function answers(staged: Omit<Staged, 'agent'>): Promise<unknown[]> {
  return textsOf(await run({ agent: 'puppet', ...staged })).map((text) => JSON.parse(text))
}

const notFound = (method: string) => ({ error: { code: -32601, message: `Method not found: ${method}` } })

describe('a method that the client did not offer', () => {
  const read = call('fs/read_text_file', { path: '{{cwd}}/a' })
  const write = call('fs/write_text_file', { path: '{{cwd}}/a', content: 'x' })

  test.each<[string, object | undefined, unknown[]]>([
    ['nothing', undefined, [notFound('fs/read_text_file'), notFound('fs/write_text_file')]],
    ['reading', { fs: { readTextFile: true } }, [{ result: { content: 'a' } }, notFound('fs/write_text_file')]],
    ['writing', { fs: { writeTextFile: true } }, [notFound('fs/read_text_file'), { result: null }]],
    [
      'reading, and not writing',
      { fs: { ...FILES.fs, writeTextFile: false } },
      [{ result: { content: 'a' } }, notFound('fs/write_text_file')],
    ],
  ])('is not found: a client that offers %s', async (_, capabilities, expected) => {
    const files = { 'workspace/a': 'a' }
    const staged = { files, steps: [prompt(read, write)], ...(capabilities && { capabilities }) }
    expect(await answers(staged)).toEqual(expected)
  })

  test.each(['create', 'output', 'wait_for_exit', 'kill', 'release'])('is not found: terminal/%s', async (method) => {
    const steps = [prompt(call(`terminal/${method}`, { terminalId: 'terminal-1' }))]
    expect(await answers({ steps, capabilities: { ...FILES, terminal: false } })).toEqual([
      notFound(`terminal/${method}`),
    ])
  })

  test('is told in a failure, with the key that offers it', async () => {
    const message = await failureOf({ agent: 'puppet', steps: [prompt(read, read, write, 'reject 1')] })
    expect(message).toContain(
      [
        'The client refused requests of the agent (-32601, "Method not found"):',
        '  step 3: fs/read_text_file: the client did not offer it; "clientCapabilities": {"fs":{"readTextFile":true}} in the step initialize does',
        '  step 3: fs/write_text_file: the client did not offer it; "clientCapabilities": {"fs":{"writeTextFile":true}} in the step initialize does',
        '',
      ].join('\n'),
    )
    expect(message.match(/fs\/read_text_file: the client/g)).toHaveLength(1)
  })

  test('is told for the first 20 requests', async () => {
    const orders = Array.from({ length: 1000 }, (_, i) => call(`_vendor/${i}`).replace('call', 'begin'))
    const message = await failureOf({ agent: 'puppet', steps: [prompt(...orders, 'join', 'reject 1')] })
    expect(message).toContain('  step 3: _vendor/19: "answers" of input.json can answer it\n  … and 980 more\n')
    expect(message).not.toContain('_vendor/20:')
  })

  test('belongs to the finished run too', async () => {
    const { refused } = await run({ agent: 'puppet', steps: [prompt(read)] })
    expect(refused).toEqual([expect.stringMatching(/^step 3: fs\/read_text_file: /)])
  })

  test('is offered again by the initialize after a restart', async () => {
    const again = { op: 'initialize', clientCapabilities: FILES }
    const steps = [prompt(read), { op: 'restart' }, again, { op: 'loadSession' }, prompt(read)]
    const options = { env: { SESSIONS: '{{sessions}}' } }
    const files = { 'workspace/a': 'a' }
    expect(await answers({ steps, files, options })).toEqual([
      notFound('fs/read_text_file'),
      { result: { content: 'a' } },
    ])
  })
})

describe('an elicitation', () => {
  const ask = (mode: string) => call('elicitation/create', { sessionId: 'session-1', mode, message: 'Which one?' })

  test.each([
    ['form', { form: {} }, { result: { action: 'decline' } }],
    ['url', { url: {} }, { result: { action: 'decline' } }],
    ['url', { form: {} }, notFound('elicitation/create')],
    ['form', { form: null, url: {} }, notFound('elicitation/create')],
    ['form', undefined, notFound('elicitation/create')],
  ])('by %s is declined if the client offers it: %j', async (mode, elicitation, expected) => {
    expect(await answers({ steps: [prompt(ask(mode))], capabilities: { elicitation } })).toEqual([expected])
  })

  test('is answered by the script', async () => {
    const result = { action: 'accept', content: { name: 'x' } }
    const input = { answers: [{ method: 'elicitation/create', result }] }
    const steps = [prompt(ask('form'), ask('form'))]
    expect(await answers({ input, steps, capabilities: { elicitation: { form: {} } } })).toEqual([
      { result },
      { result: { action: 'decline' } },
    ])
  })
})

describe('a method of a vendor', () => {
  const ask = call('_vendor/ask', { a: 1 })

  test('is not found, and told in a failure', async () => {
    expect(await answers({ steps: [prompt(ask)] })).toEqual([notFound('_vendor/ask')])
    expect(await failureOf({ agent: 'puppet', steps: [prompt(ask, 'reject 1')] })).toContain(
      '  step 3: _vendor/ask: "answers" of input.json can answer it\n',
    )
  })

  test('stays in the golden, as a request and as a notification', async () => {
    const told = 'raw {"jsonrpc":"2.0","method":"_vendor/told","params":{"b":2}}'
    const { transcript } = await run({ agent: 'puppet', steps: [prompt(ask, told)] })
    const golden = normalizeTranscript(transcript.frames, transcript.volatile)
    expect(golden).toContain('{"jsonrpc":"2.0","id":1,"method":"_vendor/ask","params":{"a":1}}')
    expect(golden).toContain('{"jsonrpc":"2.0","method":"_vendor/told","params":{"b":2}}')
  })

  test('is answered by the script, in order for each method, with the paths of the run', async () => {
    const scripted = [
      { method: '_vendor/ask', result: { n: 1, cwd: '{{cwd}}' } },
      { method: '_vendor/other', error: { code: 7, message: 'no', data: [1] } },
      { method: '_vendor/ask' },
      { method: '_vendor/many', result: 'again', times: 'any' },
    ]
    const many = call('_vendor/many')
    const steps = [prompt(ask, many, call('_vendor/other'), ask, many, ask)]
    const ran = await run({ agent: 'puppet', input: { answers: scripted }, steps })
    expect(textsOf(ran).map((text) => JSON.parse(text))).toEqual([
      { result: { n: 1, cwd: ran.transcript.volatile.paths?.cwd?.[0] } },
      { result: 'again' },
      { error: { code: 7, message: 'no', data: [1] } },
      { result: null },
      { result: 'again' },
      notFound('_vendor/ask'),
    ])
  })

  test('that the agent does not call fails the run, if the script has an answer for it', async () => {
    const input = {
      answers: [
        { method: '_vendor/none', times: 'any' },
        { method: '_vendor/ask', result: 1 },
        { method: '_vendor/ask', result: 2 },
      ],
    }
    expect(await failureOf({ agent: 'puppet', input, steps: [prompt(ask)] })).toContain(
      'scenario x, the answers: expected 2 requests _vendor/ask, one for each such entry of "answers"\n' +
        '  got      fewer: {"method":"_vendor/ask","result":2}, answers[2] of input.json, was not used\n',
    )
  })

  test.each([
    [{ method: '_v', result: 1, error: { code: 1, message: 'x' } }, '"answers[0]": has both "result" and "error"'],
    [{ method: 'session/request_permission' }, '"answers[0].method": must be answered in "permissions"'],
    [{ method: '' }, '"answers[0].method"'],
  ])('with a wrong answer is a fault of the fixture: %j', async (answer, fault) => {
    expect(await failureOf({ agent: 'puppet', input: { answers: [answer] } })).toContain(`input.json: ${fault}`)
  })
})

describe('request ids', () => {
  test('that the agent uses twice at once are both answered', async () => {
    const ask = (method: string) =>
      `raw {"jsonrpc":"2.0","id":"twice","method":"${method}","params":{"sessionId":"session-1"}}`
    const input = { permissions: [{ kind: 'leaveOpen' }] }
    const cancelled = { op: 'promptAndCancel', after: 'permission' }
    const text = [ask('session/request_permission'), ask('_vendor/ask'), 'wait', call('_vendor/ask')].join('\n')
    const ran = await run({ agent: 'puppet', input, steps: [{ ...cancelled, text }] })
    expect(textsOf(ran)).toEqual([JSON.stringify(notFound('_vendor/ask'))])
  })

  const raw = (...ids: string[]) => prompt(...ids)

  test('of the agent that equal those of the client are another sequence', async () => {
    // The prompt that waits has the id 3.
    const ids = ['0', '1', '2', '3', '"3"', 'null', '3']
    const ran = await run({ agent: 'raw-ids', steps: [raw(...ids), raw('4')] })
    expect(textsOf(ran).map((line) => /"id":(.+)\}$/.exec(line)?.[1])).toEqual([...ids, '4'])
    const golden = normalizeTranscript(ran.transcript.frames, ran.transcript.volatile).map((frame) => JSON.parse(frame))
    expect(golden.flatMap(({ id, method }) => (method === 'no/such_method' ? [id] : []))).toEqual([
      ...[1, 2, 3, 4, 5, null, 4],
      6,
    ])
    expect(golden.flatMap(({ id, method }) => (method === undefined ? [id] : []))).toEqual([1, 2, 3, 4])
  })

  test('of the agent do not move its frames to a request of the client, among several sessions', async () => {
    const steps = [
      { op: 'newSession', as: 'b' },
      { op: 'prompt', session: 'b', text: '4\n1', background: true },
      { op: 'waitForPrompt', session: 'b' },
      raw('3', '5'),
    ]
    const { transcript } = await run({ agent: 'raw-ids', steps })
    const told = transcript.frames.map((frame) => {
      const { id, method, params } = JSON.parse(frame)
      return params?.sessionId ?? (method ? `ask ${id}` : id)
    })
    expect(told).toEqual([
      ...[1, 2, 3],
      ...['ask 4', 'session-2', 'ask 1', 'session-2', 4],
      ...['ask 3', 'session-1', 'ask 5', 'session-1', 5],
    ])
  })
})
