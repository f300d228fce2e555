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
      { result: { content: 'one' } },
      { result: { content: 'two' } },
    ])
  })

  test('are written to the working directory, and missing directories are created', async () => {
    const path = '{{cwd}}/new/deep/a.txt'
    const orders = [call('write', { path, content: 'hé\n' }), call('read', { path })]
    expect(await answers({ steps: [prompt(...orders)] })).toEqual([{ result: null }, { result: { content: 'hé\n' } }])
  })

  test.each(['/etc/passwd', '{{cwd}}/../home/x', '{{cwd}}/a/../../x', 'note.txt', ''])(
    'outside of it are refused: %j',
    async (path) => {
      const orders = [call('read', { path }), call('write', { path, content: 'x' })]
      const refused = {
        error: { code: -32602, message: expect.stringContaining('path is not in the working directory') },
      }
      expect(await answers({ files, steps: [prompt(...orders)] })).toEqual([refused, refused])
    },
  )

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
