import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import { dirname, join } from 'node:path'
import { agentFile } from '@acp-snapshot/testing/agent-file'
import { normalizeTranscript } from 'jest-serializer-acp'
import { failureOf, prompt, run, type Staged, textsOf } from './support.ts'

const TELLS = agentFile('tells')

/** What the agent was started with: it tells it in the answer to initialize. */
async function started(staged: Partial<Staged>) {
  const ran = await run({ agent: 'tells', ...staged })
  const { argv, env } = JSON.parse(ran.transcript.frames[0] ?? '').result._meta
  return { argv, env, ran } as { argv: string[]; env: NodeJS.ProcessEnv; ran: typeof ran }
}

describe('home', () => {
  /** A directory of the person, with these files. */
  function homeWith(files: Record<string, string>): string {
    const dir = join(dirname(os.tmpdir()), 'given-home')
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(dirname(join(dir, name)), { recursive: true })
      fs.writeFileSync(join(dir, name), text)
    }
    return dir
  }

  test("of a scenario is copied into the agent's HOME, with the run's paths in its text files", async () => {
    const files = { 'home/.agent/settings.json': '{"trusted":"{{cwd}}","other":"{{other}}"}' }
    const ran = await run({ agent: 'puppet', files, steps: [prompt('show $HOME/.agent/settings.json')] })
    const { cwd, home } = ran.transcript.volatile.paths ?? {}
    expect(textsOf(ran)).toEqual([`{"trusted":"${cwd?.[0]}","other":"{{other}}"}`])
    expect(home).toBeDefined()
    expect(fs.readFileSync(join(ran.scenario.dir, 'home/.agent/settings.json'), 'utf8')).toContain('{{cwd}}')
  })

  test('of the options lies below that of the scenario', async () => {
    const home = homeWith({ '.agent/a': 'a of options', '.agent/b': 'b of {{home}}', '.agent/c/d': 'd' })
    fs.symlinkSync('/nowhere', join(home, 'link'))
    fs.chmodSync(join(home, '.agent'), 0o555)
    const files = { 'home/.agent/a': 'a of scenario', 'home/link/file': 'not through the link', 'home/.agent/c': 'c' }
    const shown = ['.agent/a', '.agent/b', '.agent/c', 'link/file'].map((file) => `show $HOME/${file}`)
    const ran = await run({ agent: 'puppet', files, steps: [prompt(...shown)], options: { home } })
    fs.chmodSync(join(home, '.agent'), 0o755)
    const path = ran.transcript.volatile.paths?.home?.[0]
    expect(textsOf(ran)).toEqual(['a of scenario', `b of ${path}`, 'c', 'not through the link'])
  })

  test('keeps what a process of the agent wrote there when the agent is restarted', async () => {
    const files = { 'home/a': '{{cwd}}' }
    const env = { SESSIONS: '{{sessions}}' }
    const again = [{ op: 'restart' }, { op: 'initialize' }, { op: 'loadSession' }]
    const steps = [prompt('append $HOME/a +'), ...again, prompt('show $HOME/a')]
    const ran = await run({ agent: 'puppet', files, steps, options: { env } })
    expect(textsOf(ran)).toEqual([`${ran.transcript.volatile.paths?.cwd?.[0]}+\n`])
  })

  test('with files that are not text, or are long, copies them byte for byte', async () => {
    const long = `{{cwd}}${'x'.repeat(1024 ** 2)}`
    const home = homeWith({ long })
    fs.writeFileSync(join(home, 'bytes'), Buffer.from([0xff, ...Buffer.from('{{cwd}}')]))
    const steps = [prompt('shell cmp $HOME/long ../../../given-home/long && cmp $HOME/bytes ../../../given-home/bytes')]
    await run({ agent: 'puppet', steps, options: { home } })
  })

  test('keeps the modes of its files, also of those with placeholders', async () => {
    const home = homeWith({ key: '{{cwd}}', run: '#!/bin/sh\necho {{tmp}}\n', plain: '' })
    fs.chmodSync(join(home, 'key'), 0o400)
    fs.chmodSync(join(home, 'run'), 0o755)
    fs.symlinkSync('key', join(home, 'link'))
    const orders = [
      'shell cd && { ls -l key run plain | cut -c1-10; readlink link; cat link; } > {{cwd}}/out',
      'show out',
    ]
    const ran = await run({ agent: 'puppet', steps: [prompt(...orders)], options: { home } })
    const cwd = ran.transcript.volatile.paths?.cwd?.[0]
    expect(textsOf(ran)).toEqual([`-r--r--r--\n-rw-r--r--\n-rwxr-xr-x\nkey\n${cwd}`])
  })

  test('with a FIFO fails the run', async () => {
    const home = homeWith({})
    fs.mkdirSync(home)
    execFileSync('mkfifo', [join(home, 'pipe')])
    expect(await failureOf({ agent: 'puppet', options: { home } })).toMatch(
      /^scenario x, the start of the agent: cannot copy .*given-home\/pipe into the run: it is neither file, directory nor symlink/,
    )
  })

  test('of a variant replaces that of the options', async () => {
    const home = homeWith({ 'base/a': 'base', 'other/a': 'other' })
    const options = { home: join(home, 'base'), configs: { other: { home: join(home, 'other') } } }
    const ran = await run({
      agent: 'puppet',
      input: { config: 'other' },
      steps: [prompt('show $HOME/a')],
      options,
    })
    expect(textsOf(ran)).toEqual(['other'])
  })

  test('that is not a directory fails the run, and the option is named', async () => {
    expect(await failureOf({ agent: 'puppet', options: { home: '/no/such/home' } })).toContain(
      'scenario x, the start of the agent: testEnvironmentOptions.acp.home must be a directory, and /no/such/home is not one',
    )
  })

  test('may not hold a secret in a fixture', async () => {
    const files = { 'home/.netrc': `token ghp_${'a1B2c3D4e5F6'.repeat(3)}` }
    expect(await failureOf({ agent: 'puppet', files })).toMatch(/home\/\.netrc:1: .*GitHub/)
  })
})

describe('passes', () => {
  const host = process.env
  beforeEach(() => {
    process.env = { ...host, GIVEN: 'from the host', ALSO: 'x', HIDDEN: 'y' }
    delete process.env.MISSING
  })
  afterEach(() => {
    process.env = host
  })

  test('names variables of the host that the agent gets, and no others', async () => {
    const { env } = await started({ options: { passes: ['GIVEN', 'MISSING', 'ALSO'], env: { ALSO: 'of env' } } })
    expect(env).toMatchObject({ GIVEN: 'from the host', ALSO: 'of env' })
    expect(env).not.toHaveProperty('MISSING')
    expect(env).not.toHaveProperty('HIDDEN')
  })

  test('may name variables that the run sets itself', async () => {
    process.env.HOME = '/home/of/the/host'
    const { env } = await started({ options: { passes: ['HOME', 'PATH'] } })
    expect(env).toMatchObject({ HOME: '/home/of/the/host', PATH: process.env.PATH })
  })

  test('names variables without values', async () => {
    expect(await failureOf({ agent: 'tells', options: { passes: ['A=b'] } })).toContain(
      'testEnvironmentOptions.acp.passes.0: must be the name of a variable, without a value',
    )
  })

  test.each<[string, object]>([
    ['passes', { passes: ['MY_TOKEN'] }],
    ['env', { env: { OTHER_TOKEN: 'correct horse battery' } }],
  ])('hides the value of a secret of the host in a failure: by %s', async (_, options) => {
    process.env.MY_TOKEN = 'correct horse battery'
    const steps = [prompt('shell echo "$MY_TOKEN$OTHER_TOKEN" >&2', 'error correct horse battery', 'reject 1')]
    const message = await failureOf({ agent: 'puppet', steps, options })
    expect(message).toContain('[redacted]')
    expect(message).not.toContain('correct horse battery')
  })

  test('are not needed to hide what a recording requires, whatever its name is', async () => {
    const options = { record: { requires: ['ACCOUNT'] } }
    const live = { env: { ACCOUNT: 'correct horse battery' } }
    const message = await failureOf({
      agent: 'puppet',
      steps: [prompt('say correct horse battery', 'reject 1')],
      options,
      live,
    })
    expect(message).toContain('"text":"[redacted]"')
    expect(message).not.toContain('correct horse battery')
  })

  test('hides no value that only the options have', async () => {
    const options = { env: { MY_TOKEN: 'not a secret' } }
    expect(await failureOf({ agent: 'puppet', steps: [prompt('say not a secret', 'reject 1')], options })).toContain(
      '"text":"not a secret"',
    )
  })
})

describe('{{port}}', () => {
  test('is a free port of the run, the same in args, env, home and steps, and {{port.2}} is another one', async () => {
    const options = { args: [agentFile('puppet'), '--port={{port}}'], env: { URL: 'http://localhost:{{port.2}}/' } }
    const steps = [prompt('show $HOME/config', 'shell echo "$URL" > url', 'show url', 'say {{port}}')]
    const ran = await run({ agent: 'puppet', files: { 'home/config': '{{port}}' }, steps, options })
    const [first = '', url = '', said] = textsOf(ran)
    const [, second = ''] = /:(\d+)\//.exec(url) ?? []
    expect(said).toBe(first)
    expect(first).not.toBe(second)
    for (const port of [first, second]) {
      const server = createServer().listen({ port: Number(port), host: '127.0.0.1' })
      await new Promise((resolve) => server.once('listening', resolve))
      await new Promise((resolve) => server.close(resolve))
    }
  })

  test('is a token again in the golden, wherever the agent shows it', async () => {
    const options = { args: [TELLS, 'http://127.0.0.1:{{port}}/a', 'port {{port.2}}.', '1{{port}}', '{{port}}.5'] }
    const { ran, argv } = await started({ options })
    const golden = JSON.parse(normalizeTranscript(ran.transcript.frames, ran.transcript.volatile)[0] ?? '')
    expect(golden.result._meta.argv).toEqual(['http://127.0.0.1:{{port}}/a', 'port {{port.2}}.', argv[2], argv[3]])
  })

  test('also stands in the command and in answers', async () => {
    expect(await failureOf({ agent: 'tells', options: { command: '/no/{{port}}', args: [] } })).toMatch(
      /cannot start the agent "\/no\/\d{5}"/,
    )
    const input = { answers: [{ method: '_v/ask', result: 'at {{port}}' }] }
    const ran = await run({ agent: 'puppet', input, steps: [prompt('call _v/ask {}')] })
    expect(textsOf(ran)).toEqual([expect.stringMatching(/^\{"result":"at \d{5}"\}$/)])
  })

  test.each([
    ['a step', {}, 'say {{port}}'],
    ['home', { 'home/a': '{{port}}' }, 'show $HOME/a'],
  ])('may stand in %s alone', async (_, files, order) => {
    expect(textsOf(await run({ agent: 'puppet', files, steps: [prompt(order)] }))).toEqual([
      expect.stringMatching(/^\d{5}$/),
    ])
  })

  test('is the same after a restart', async () => {
    const options = { args: [TELLS, '{{port}}'] }
    const steps = [{ op: 'initialize' }, { op: 'restart' }, { op: 'initialize' }]
    const { transcript } = await run({ agent: 'tells', input: { steps }, options })
    const [one, two] = transcript.frames.map((frame) => JSON.parse(frame).result._meta.argv[0])
    expect(one).toMatch(/^\d{5}$/)
    expect(two).toBe(one)
  })

  test('stays as it is where it names no port', async () => {
    const { argv } = await started({
      options: { args: [TELLS, '{{port.0}}', '{{port.1}}', '{{port.100}}', '{{port.x}}', '{{ports}}'] },
    })
    expect(argv).toEqual(['{{port.0}}', '{{port.1}}', '{{port.100}}', '{{port.x}}', '{{ports}}'])
  })
})

describe("exit: 'sigterm'", () => {
  const options = (env: object = {}) => ({ exit: 'sigterm', env, deadlines: { exitMs: 30_000 } })

  test.each([
    ['dies of the signal', {}],
    ['exits with code 0', { TERM_CODE: '0' }],
    ['exits with another code', { TERM_CODE: '3' }],
  ])('ends an agent that ignores the end of stdin, and %s', async (_, env) => {
    await run({ agent: 'stays', options: options(env) })
  })

  test('also ends the agent at a restart', async () => {
    await run({ agent: 'stays', steps: [{ op: 'restart' }, { op: 'initialize' }], options: options() })
  })
})
