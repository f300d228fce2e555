import { FILES, failureOf, prompt, run, type Staged, textsOf } from './support.ts'

const OPTIONS = [
  { optionId: 'yes', kind: 'allow_once', name: 'Yes' },
  { optionId: 'no', kind: 'reject_once', name: 'No' },
]
const ASK = `call session/request_permission ${JSON.stringify({ toolCall: { title: 'rm' }, options: OPTIONS })}`
const SELECTED = (optionId: string) => ({ result: { outcome: { outcome: 'selected', optionId } } })

/** What the client answered, in order. */
async function answers(staged: Omit<Staged, 'agent'>): Promise<unknown[]> {
  return textsOf(await run({ agent: 'puppet', capabilities: FILES, ...staged })).map((text) => JSON.parse(text))
}

describe('a permission request', () => {
  test('is answered by the kind or the id of an option, or cancelled, in the order of the script', async () => {
    const permissions = [{ kind: 'reject_once' }, { optionId: 'yes' }, { outcome: 'cancelled' }]
    expect(await answers({ input: { permissions }, steps: [prompt(ASK, ASK), prompt(ASK)] })).toEqual([
      SELECTED('no'),
      SELECTED('yes'),
      { result: { outcome: { outcome: 'cancelled' } } },
    ])
  })

  test('keeps this order across a restart', async () => {
    const permissions = [{ optionId: 'no' }, { optionId: 'yes' }]
    const steps = [prompt(ASK), { op: 'restart' }, { op: 'initialize' }, { op: 'loadSession' }, prompt(ASK)]
    const options = { env: { SESSIONS: '{{sessions}}' } }
    expect(await answers({ input: { permissions }, steps, options })).toEqual([SELECTED('no'), SELECTED('yes')])
  })

  test('fails the step if the script has no answer, and the failure shows the request', async () => {
    expect(await failureOf({ agent: 'puppet', steps: [prompt(ASK)] })).toContain(
      'scenario x, step 3 (prompt): expected no permission request: "permissions" of input.json has no answer left\n' +
        '  got      session/request_permission for rm, options [{"optionId":"yes","kind":"allow_once"},{"optionId":"no","kind":"reject_once"}]\n',
    )
  })

  test('fails the step if it lacks the option that the script chooses', async () => {
    const input = { permissions: [{ kind: 'allow_always' }] }
    expect(await failureOf({ agent: 'puppet', input, steps: [prompt(ASK)] })).toContain(
      'scenario x, step 3 (prompt): expected a permission request with the option {"kind":"allow_always"}\n' +
        '  got      session/request_permission for rm, options [',
    )
  })

  test('without an answer is reported as the cause when the agent hangs', async () => {
    const options = { deadlines: { stepMs: 2000 } }
    expect(await failureOf({ agent: 'puppet', steps: [prompt(ASK, 'wait')], options })).toContain(
      'scenario x, step 3 (prompt): expected no permission request',
    )
  })

  test('fails the run if it comes while the agent exits', async () => {
    expect(await failureOf({ agent: 'asks-at-end' })).toContain(
      'scenario x, the end of the agent: expected no permission request',
    )
  })
})

describe('files', () => {
  const call = (method: string, params: object) => `call fs/${method}_text_file ${JSON.stringify(params)}`
  const files = { 'workspace/note.txt': 'one\ntwo\nthree\n', 'workspace/..odd': 'odd' }

  test('in the working directory can be read completely or by lines', async () => {
    const read = (more: object = {}) => call('read', { path: '{{cwd}}/note.txt', ...more })
    const steps = [prompt(read(), read({ line: 2 }), read({ limit: 1 }), read({ line: 2, limit: 1 }))]
    expect(await answers({ files, steps })).toEqual([
      { result: { content: 'one\ntwo\nthree\n' } },
      { result: { content: 'two\nthree\n' } },
      { result: { content: 'one\n' } },
      { result: { content: 'two\n' } },
    ])
  })

  test('are read by lines as in Zed: a line keeps its end, line 0 is the first one, and the end is known', async () => {
    const files = { 'workspace/crlf': 'a\r\nb\r\n', 'workspace/open': 'a\nb', 'workspace/empty': '' }
    const read = (name: string, line: unknown, limit: unknown) => call('read', { path: `{{cwd}}/${name}`, line, limit })
    const cases: [order: string, expected: string | RegExp][] = [
      [read('crlf', 0, 1), 'a\r\n'],
      [read('crlf', 2, 9), 'b\r\n'],
      [read('crlf', 3, null), ''],
      [read('crlf', 4, 1), /^Invalid params: line 4 is after the end of the file, which is line 3$/],
      [read('open', null, 0), ''],
      [read('open', 2, null), 'b'],
      [read('open', 3, 0), /line 3 is after the end of the file, which is line 2$/],
      [read('empty', 1, 1), ''],
      [read('empty', 2, 1), /line 2 is after the end of the file, which is line 1$/],
    ]
    expect(await answers({ files, steps: [prompt(...cases.map(([order]) => order))] })).toEqual(
      cases.map(([, expected]) =>
        typeof expected === 'string'
          ? { result: { content: expected } }
          : { error: { code: -32602, message: expect.stringMatching(expected) } },
      ),
    )
  })

  test('are not read with a line or a limit that is not a count', async () => {
    const wrong = [{ line: -1 }, { limit: -1 }, { line: 1.5 }, { limit: '2' }, { line: [] }, { limit: true }]
    const orders = wrong.map((more) => call('read', { path: '{{cwd}}/note.txt', ...more }))
    const problems = ['line is', 'limit is', 'line is', 'limit is', 'line is', 'limit is']
    expect(await answers({ files, steps: [prompt(...orders)] })).toEqual(
      problems.map((problem) => ({
        error: { code: -32602, message: expect.stringContaining(`${problem} not a whole number from 0 up`) },
      })),
    )
  })

  test('that are not UTF-8 are refused, and a byte order mark stays', async () => {
    const read = (name: string) => call('read', { path: `{{cwd}}/${name}` })
    const orders = ["shell printf '\\377' > bytes; printf '\\357\\273\\277a' > mark", read('bytes'), read('mark')]
    expect(await answers({ steps: [prompt(...orders)] })).toEqual([
      { error: { code: -32602, message: expect.stringMatching(/\/bytes is not UTF-8 text$/) } },
      { result: { content: '\uFEFFa' } },
    ])
  })

  test('can be asked for a thousand times at once', async () => {
    const begin = call('read', { path: '{{cwd}}/..odd' }).replace('call', 'begin')
    const orders = Array.from({ length: 1000 }, () => begin)
    expect(await answers({ files, steps: [prompt(...orders, 'join')] })).toEqual([{ result: { content: 'odd' } }])
  })

  test('cannot be read or written when the agent removed the directory', async () => {
    const orders = ['shell rmdir {{cwd}}', call('read', { path: '{{cwd}}/a' })]
    const write = call('write', { path: '{{cwd}}/a', content: '' })
    expect(await answers({ steps: [prompt(...orders, write, 'shell mkdir {{cwd}}')] })).toEqual([
      { error: { code: -32002, message: expect.stringContaining('Resource not found') } },
      { error: { code: -32603, message: expect.stringContaining('Internal error: ENOENT') } },
    ])
  })

  test('are written to the working directory, and missing directories are created', async () => {
    const path = '{{cwd}}/new/deep/a.txt'
    const orders = [call('write', { path, content: 'hé\n' }), call('read', { path })]
    expect(await answers({ steps: [prompt(...orders)] })).toEqual([{ result: null }, { result: { content: 'hé\n' } }])
  })

  test.each([
    '/etc/passwd',
    '{{cwd}}/../home/x',
    '{{cwd}}/a/../../x',
    'note.txt',
    `${'../'.repeat(20)}.{{cwd}}/note.txt`,
    '',
    '{{cwd}}/a\0b',
  ])('outside of it are refused: %j', async (path) => {
    const orders = [call('read', { path }), call('write', { path, content: 'x' })]
    const refused = {
      error: { code: -32602, message: expect.stringContaining('path is not in the working directory') },
    }
    expect(await answers({ files, steps: [prompt(...orders)] })).toEqual([refused, refused])
  })

  test('may have names that begin with two dots', async () => {
    expect(await answers({ files, steps: [prompt(call('read', { path: '{{cwd}}/..odd' }))] })).toEqual([
      { result: { content: 'odd' } },
    ])
  })

  test('that do not exist are an error', async () => {
    const missing = { error: { code: -32002, message: expect.stringMatching(/^Resource not found: .*none\.txt$/) } }
    expect(await answers({ steps: [prompt(call('read', { path: '{{cwd}}/none.txt' }))] })).toEqual([missing])
  })
})

describe('a path that the agent prepared as a trap', () => {
  const call = (method: string, params: object) => `call fs/${method}_text_file ${JSON.stringify(params)}`
  const both = (name: string) => [
    call('read', { path: `{{cwd}}/${name}` }),
    call('write', { path: `{{cwd}}/${name}`, content: 'x' }),
  ]
  const refused = (why: string) => ({
    error: { code: -32602, message: expect.stringMatching(new RegExp(`^Invalid params: .* ${why}$`)) },
  })

  test.each([
    ['a FIFO', 'mkfifo way', 'is a FIFO, not a regular file'],
    ['a link to a FIFO', 'mkfifo fifo && ln -s fifo way', 'is a FIFO, not a regular file'],
    ['a link to a device without an end', 'ln -s /dev/zero way', 'leads out of .*'],
    ['a link out of the directory', 'ln -s /etc/passwd way', 'leads out of .*'],
    ['a link to itself', 'ln -s way way', 'is a symbolic link that leads back to itself'],
    ['a directory', 'mkdir way', 'is a directory, not a regular file'],
  ])('as %s is refused with the reason, and the run goes on', async (_, command, why) => {
    const steps = [prompt(`shell ${command}`, ...both('way'))]
    expect(await answers({ steps })).toEqual([refused(why), refused(why)])
  })

  test('is refused if a directory in it links elsewhere, and nothing is written', async () => {
    const steps = [prompt('shell ln -s {{home}} way', ...both('way/x'))]
    const [read, write] = await answers({ steps })
    expect(write).toEqual(refused('leads out of .*'))
    expect(read).toMatchObject({ error: { code: expect.any(Number) } })
  })

  test('is refused without reading if it is a file of 3 GB', async () => {
    const steps = [prompt('shell truncate -s 3G way', call('read', { path: '{{cwd}}/way' }), 'say on')]
    const ran = await run({ agent: 'puppet', capabilities: FILES, steps })
    expect(textsOf(ran)).toEqual([expect.stringContaining('is too long: it has 3221225472 bytes'), 'on'])
  })
})

test('content that is not text is not written', async () => {
  const path = '{{cwd}}/a'
  expect(await answers({ steps: [prompt(`call fs/write_text_file ${JSON.stringify({ path })}`)] })).toEqual([
    { error: { code: -32602, message: 'Invalid params: content is not a string: undefined' } },
  ])
})

test('a method that the client does not have is refused', async () => {
  expect(await answers({ steps: [prompt('call terminal/create {}')] })).toEqual([
    { error: { code: -32601, message: 'Method not found: terminal/create' } },
  ])
})
