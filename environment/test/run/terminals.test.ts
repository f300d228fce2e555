import * as fs from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { isAlive, processesIn } from '@acp-snapshot/testing/processes'
import { Terminals } from '../../src/run/terminals.ts'
import { failureOf, prompt, run, type Staged, textsOf } from './support.ts'

const call = (method: string, params: object = {}) =>
  `call terminal/${method} ${JSON.stringify({ sessionId: 'session-1', ...params })}`
const create = (params: object) => call('create', params)
const of = (method: string, terminalId = 'terminal-1') => call(method, { terminalId })
const sh = (script: string, more: object = {}) => create({ command: 'sh', args: ['-c', script], ...more })

/** What the client answered, in order. */
async function answers(orders: string[], staged: Partial<Staged> = {}): Promise<unknown[]> {
  const ran = await run({ agent: 'puppet', capabilities: { terminal: true }, steps: [prompt(...orders)], ...staged })
  return textsOf(ran).map((text) => JSON.parse(text))
}

const CREATED = { result: { terminalId: 'terminal-1' } }
const EXITED = { exitCode: 0, signal: null }
const output = (text: string, more: object = {}) => ({
  result: { output: text, truncated: false, exitStatus: EXITED, ...more },
})

// On Windows there is no `sh`.
const onPosix = process.platform === 'win32' ? describe.skip : describe

onPosix('a terminal', () => {
  test('runs a command in the working directory, with stdout and stderr in order', async () => {
    // So many that the client cannot read each line by itself.
    const script = 'cat note.txt; for i in $(seq 2000); do echo out$i; echo err$i >&2; done'
    const lines = Array.from({ length: 2000 }, (_, i) => `out${i + 1}\nerr${i + 1}\n`)
    const files = { 'workspace/note.txt': 'note\n' }
    expect(await answers([sh(script), of('wait_for_exit'), of('output')], { files })).toEqual([
      CREATED,
      { result: EXITED },
      output(`note\n${lines.join('')}`),
    ])
  })

  test('runs a command line that comes in one piece in a shell', async () => {
    const orders = [create({ command: 'echo "a  b" | tr a-z A-Z' }), of('wait_for_exit'), of('output')]
    expect((await answers(orders))[2]).toEqual(output('A  B\n'))
  })

  test('runs a program with a space in its path, if it comes with arguments', async () => {
    const files = { 'workspace/my tool': '#!/bin/sh\necho "$1"\n' }
    const run = create({ command: '{{cwd}}/my tool', args: ['a  b'] })
    const orders = ['shell chmod +x "my tool"', run, of('wait_for_exit'), of('output')]
    expect((await answers(orders, { files }))[2]).toEqual(output('a  b\n'))
  })

  test('has the environment of the agent, and the variables of the request', async () => {
    process.env.HOST_ONLY = 'x'
    const script = 'echo "$HOME|$A|$B|$HOST_ONLY|$KEY|$TERM"'
    const orders = [sh(script, { env: [{ name: 'B', value: 'b' }] }), of('wait_for_exit'), of('output')]
    const staged = { options: { env: { A: 'a', B: 'of the agent' } }, live: { env: { KEY: 'k' } } }
    const text = JSON.stringify((await answers(orders, staged))[2])
    delete process.env.HOST_ONLY
    expect(text).toMatch(/"output":"[^"|]+\/home\|a\|b\|\|\|dumb\\n"/)
  })

  test('runs in the directory of its session', async () => {
    const inSession = (sessionId: string) => sh('basename "$PWD"', { sessionId })
    const steps = [
      { op: 'newSession', as: 'b', cwd: '{{cwd}}/sub' },
      { op: 'newSession', as: 'c', cwd: '/' },
      prompt(inSession('session-2'), of('wait_for_exit', 'terminal-2-1'), of('output', 'terminal-2-1')),
      prompt(inSession('session-3'), inSession('unknown'), of('wait_for_exit', 'terminal-0-1')),
      prompt(of('output', 'terminal-0-1')),
    ]
    const files = { 'workspace/sub/a': '' }
    const [, , shown, outside, , , unknown] = await answers([], { steps, files })
    expect([shown, unknown]).toEqual([output('sub\n'), output('cwd\n')])
    expect(outside).toEqual({
      error: { code: -32602, message: 'Invalid params: cwd is not a directory of the run: /' },
    })
  })

  test('runs in a directory of the run that the request names, and in no other one', async () => {
    const problem = (dir: string) => ({
      error: { code: -32602, message: `Invalid params: cwd is not a directory of the run: ${dir}` },
    })
    const orders = [
      sh('basename "$PWD"', { cwd: '{{tmp}}' }),
      of('wait_for_exit'),
      of('output'),
      sh('pwd', { cwd: '/' }),
      sh('pwd', { cwd: 'sub' }),
      sh('pwd', { cwd: '{{cwd}}/none' }),
      sh('pwd', { cwd: `${'../'.repeat(20)}.{{cwd}}` }),
    ]
    const [, , shown, ...refused] = await answers(orders)
    expect(shown).toEqual(output('tmp\n'))
    const noDirectory = { error: expect.objectContaining({ code: -32602 }) }
    expect(refused).toEqual([problem('/'), problem('sub'), noDirectory, noDirectory])
  })

  const wrong: [params: object, problem: string][] = [
    [{}, 'command is not a program: undefined'],
    [{ command: 'a', args: [1] }, 'args are not strings: [1]'],
    [{ command: 'a', env: { A: 'b' } }, 'env is not a list of variables: {"A":"b"}'],
    [{ command: 'a\0' }, 'command is not a program: a\0'],
    [{ command: 'a', args: ['\0'] }, 'args are not strings: ["\\u0000"]'],
    ...[
      { name: '', value: 'b' },
      { name: 'A=B', value: 'b' },
      { name: 'A\0', value: 'b' },
      { name: 'A', value: '\0' },
      { name: 'A' },
    ].map((variable): [object, string] => [
      { command: 'a', env: [variable] },
      `env is not a list of variables: [${JSON.stringify(variable)}]`,
    ]),
    ...[-1, 1.5, '9'].map((limit): [object, string] => [
      { command: 'a', outputByteLimit: limit },
      `outputByteLimit is not a whole number from 0 up: ${limit}`,
    ]),
  ]

  test('is refused with wrong params, and nothing is started', async () => {
    const orders = wrong.map(([params]) => create(params))
    expect(await answers([...orders, sh('true')])).toEqual([
      ...wrong.map(([, problem]) => ({ error: { code: -32602, message: `Invalid params: ${problem}` } })),
      CREATED,
    ])
  })

  test('with a program that does not exist is an error', async () => {
    expect(await answers([create({ command: 'no-such-program' })])).toEqual([
      { error: { code: -32603, message: 'Internal error: no-such-program: ENOENT' } },
    ])
  })

  test('tells the code or the signal of the exit', async () => {
    const orders = [sh('exit 3'), of('wait_for_exit'), sh('kill -TERM $$'), of('wait_for_exit', 'terminal-2')]
    expect(await answers(orders)).toEqual([
      CREATED,
      { result: { exitCode: 3, signal: null } },
      { result: { terminalId: 'terminal-2' } },
      { result: { exitCode: null, signal: 'SIGTERM' } },
    ])
  })

  test('has no input', async () => {
    expect((await answers([sh('cat; echo end'), of('wait_for_exit'), of('output')]))[2]).toEqual(output('end\n'))
  })

  test.each([
    ['abcdef', 4, 'cdef', true],
    ['abcd', 4, 'abcd', false],
    ['aéé', 3, 'é', true],
    ['aéé', 4, 'éé', true],
    ['a😀b', 4, 'b', true],
    ['abc', 0, '', true],
  ])('keeps the end of its output %j within %i bytes, in whole characters', async (text, limit, kept, truncated) => {
    const orders = [sh(`printf %s '${text}'`, { outputByteLimit: limit }), of('wait_for_exit'), of('output')]
    expect((await answers(orders))[2]).toEqual(output(kept, { truncated }))
  })

  test('keeps at most 1 MiB of its output, also if the agent asks for more', async () => {
    const script = 'head -c 3M /dev/zero | tr "\\0" a; printf end'
    // What a client in Rust sends for "no limit".
    const all = sh(script, { outputByteLimit: 1 }).replace(
      '"outputByteLimit":1',
      '"outputByteLimit":18446744073709551615',
    )
    const second = [of('wait_for_exit', 'terminal-2'), of('output', 'terminal-2')]
    const [, , first, , , other] = await answers([sh(script), of('wait_for_exit'), of('output'), all, ...second])
    const expected = output(`${'a'.repeat(1024 ** 2 - 3)}end`, { truncated: true })
    // Not `toEqual`: a difference of this length takes minutes to print.
    expect([first, other].map((answer) => JSON.stringify(answer) === JSON.stringify(expected))).toEqual([true, true])
  })

  test('shows its output while it runs, and its exit status only then', async () => {
    const script = 'echo started; touch started; while ! [ -e go ]; do sleep 0.01; done; echo done'
    const wait = 'shell while ! [ -e started ]; do sleep 0.01; done'
    // The client reads the output at the latest together with the first request that follows it.
    const running = [sh(script), wait, of('output'), of('output')]
    const [, , before, , after] = await answers([...running, 'shell touch go', of('wait_for_exit'), of('output')])
    expect(before).toEqual({ result: { output: 'started\n', truncated: false } })
    expect(after).toEqual(output('started\ndone\n'))
  })

  test('is killed with its children, and keeps its output until it is released', async () => {
    const script = 'echo a; (sleep 604800; echo never) & touch started; wait'
    const orders = [
      sh(script),
      'shell while ! [ -e started ]; do sleep 0.01; done',
      of('kill'),
      of('wait_for_exit'),
      of('output'),
      of('release'),
      of('output'),
    ]
    expect(await answers(orders)).toEqual([
      CREATED,
      { result: {} },
      { result: { exitCode: null, signal: 'SIGKILL' } },
      { result: { output: 'a\n', truncated: false, exitStatus: { exitCode: null, signal: 'SIGKILL' } } },
      { result: {} },
      { error: { code: -32002, message: 'Resource not found: terminal terminal-1' } },
    ])
  })

  test('that was released while it ran is gone', async () => {
    const started = 'shell while ! [ -s pid ]; do sleep 0.01; done'
    const script = 'echo $$ > pid; exec sleep 604800'
    const orders = [sh(script), started, of('release'), 'shell ! kill -0 "$(cat pid)"', of('wait_for_exit')]
    expect((await answers(orders)).slice(1)).toEqual([
      { result: {} },
      { error: { code: -32002, message: 'Resource not found: terminal terminal-1' } },
    ])
  })

  test('that is killed or released twice answers each request', async () => {
    const [created, ...rest] = await answers([
      sh('sleep 604800'),
      of('wait_for_exit').replace('call', 'begin'),
      of('kill'),
      'join',
      of('kill'),
      of('release').replace('call', 'begin'),
      of('release'),
      'join',
    ])
    const gone = { error: { code: -32002, message: 'Resource not found: terminal terminal-1' } }
    expect(created).toEqual(CREATED)
    expect(rest).toEqual([
      { result: {} },
      { result: { exitCode: null, signal: 'SIGKILL' } },
      { result: {} },
      gone,
      { result: {} },
    ])
  })

  test('does not wait for a process in its background, which ends with the terminal', async () => {
    const orders = [sh('sleep 604800 & echo started'), of('wait_for_exit'), of('output'), of('release')]
    expect((await answers(orders)).slice(2)).toEqual([output('started\n'), { result: {} }])
  })

  test.each(['output', 'wait_for_exit', 'kill', 'release'])('that is not there is not found by %s', async (method) => {
    expect(await answers([of(method, 'terminal-9')])).toEqual([
      { error: { code: -32002, message: 'Resource not found: terminal terminal-9' } },
    ])
  })

  // `support.ts` looks for processes after each run.
  test('that still runs at the end of the run, or at a restart, ends then', async () => {
    const again = { op: 'initialize', clientCapabilities: { terminal: true } }
    const options = { env: { SESSIONS: '{{sessions}}' } }
    const steps = [
      prompt(sh('sleep 604800')),
      ...[{ op: 'restart' }, again, { op: 'loadSession' }],
      prompt(of('output'), sh('sleep 604800')),
    ]
    expect(await answers([], { steps, options })).toEqual([
      CREATED,
      { error: expect.objectContaining({ code: -32002 }) },
      { result: { terminalId: 'terminal-2' } },
    ])
  })

  test.each([
    ['the run fails', 'reject 1', 'expected a result'],
    ['the agent dies', 'shell kill -9 $PPID', 'the agent exited on SIGKILL'],
  ])('ends also when %s, and while one is being created', async (_, order, message) => {
    // Nothing but its group leads to the first one.
    const hidden = "cd / && ulimit -S -m unlimited && exec env -i sh -c 'echo $$ > {{cwd}}/pid; exec sleep 604800'"
    const told = ['shell while ! [ -s pid ]; do sleep 0.01; done', 'show pid']
    const steps = [prompt(sh(hidden), ...told, sh('sleep 604800').replace('call', 'begin'), order)]
    const failure = await failureOf({ agent: 'puppet', capabilities: { terminal: true }, steps })
    expect(failure).toContain(message)
    const pid = Number(/"text":"(\d+)\\n"/.exec(failure)?.[1])
    expect(pid).toBeGreaterThan(1)
    expect(isAlive(pid)).toBe(false)
  })

  test('that is being created when all are released is released too', async () => {
    const cwd = fs.mkdtempSync(join(os.tmpdir(), 'terminal-'))
    const env = { PATH: process.env.PATH ?? '', IN: cwd }
    const terminals = new Terminals({ cwdOf: () => cwd, root: cwd, env: () => env, ordinalOf: () => 1 })
    const created = terminals.create({ command: 'sleep', args: ['604800'] })
    await terminals.releaseAll()
    expect(processesIn(cwd)).toEqual([])
    expect(await created).toEqual(CREATED)
    expect(terminals.output({ terminalId: 'terminal-1' })).toMatchObject({ error: { code: -32002 } })
    fs.rmdirSync(cwd)
  })

  test('may not leave a daemon behind', async () => {
    const daemon = 'setsid sh -c "touch started; exec sleep 604800" </dev/null >/dev/null 2>&1 &'
    const started = 'shell while ! [ -e started ]; do sleep 0.01; done'
    await expect(answers([sh(daemon), started, of('wait_for_exit'), of('release')])).rejects.toThrow(
      /the end of the agent: expected every process that the agent started to exit before it\n.*sleep 604800 \(pid/,
    )
  })

  test('has an id of its session, the same in every run', async () => {
    const other = create({ sessionId: 'session-2', command: 'true' })
    const steps = [
      { op: 'newSession', as: 'b' },
      prompt(sh('true'), sh('true')),
      { op: 'prompt', session: 'b', text: other },
    ]
    expect(await answers([], { steps })).toEqual([
      CREATED,
      { result: { terminalId: 'terminal-2' } },
      { result: { terminalId: 'terminal-2-1' } },
    ])
  })
})
