import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AgentProcess, createWorkplace } from '../../src/child/index.ts'
import { clearUp, drive, driveNode, isAlive, pidsOf, until } from './drive.ts'

// Longer than the waits in the tests, so that these report the failure.

afterEach(clearUp)

test('exchanges messages with the agent in order', async () => {
  const { agent, request, lines } = await drive('echo')
  await request('initialize')
  await expect(request('session/new')).resolves.toEqual({ sessionId: 'session-1' })
  await request('session/prompt', { sessionId: 'session-1', prompt: [{ type: 'text', text: 'hé' }] })
  agent.closeStdin()
  await expect(agent.exited).resolves.toEqual({ code: 0, signal: null })
  expect(lines.map((line) => line.kind)).toEqual(['frame', 'frame', 'frame', 'frame'])
  expect(lines[2]).toMatchObject({ value: { params: { update: { content: { text: 'hé' } } } } })
  expect(lines[3]).toMatchObject({ value: { result: { stopReason: 'end_turn' } } })
})

test('reports noise in order with the frames', async () => {
  const { request, lines } = await drive('noisy')
  await request('initialize')
  expect(lines).toMatchObject([
    { kind: 'noise', text: 'noisy agent, version 1' },
    { kind: 'noise', why: 'blank' },
    { kind: 'noise', text: 'got initialize' },
    { kind: 'frame' },
  ])
})

test('reports how the agent exited, with its stderr', async () => {
  const { agent } = await drive('dies')
  agent.send({ jsonrpc: '2.0', id: 1, method: 'initialize' })
  await expect(agent.exited).resolves.toEqual({ code: 3, signal: null })
  expect(agent.running).toBe(false)
  expect(agent.stderr).toBe('dies.mjs: out of luck\n')
})

test('a torn last line is noise, and comes before the exit', async () => {
  const { agent, request, lines } = await drive('torn')
  await request('initialize')
  agent.send({ jsonrpc: '2.0', id: 2, method: 'session/new' })
  await agent.exited
  expect(lines.at(-1)).toEqual({ kind: 'noise', text: '{"jsonrpc":"2.0","id":2,"res', why: 'torn' })
})

test('reads all of a large output before the exit', async () => {
  const { agent, lines } = await driveNode([
    '-e',
    `for (let i = 0; i < 20000; i++) process.stdout.write('{"jsonrpc":"2.0","id":' + i + ',"result":"${'x'.repeat(100)}"}\\n')`,
  ])
  await agent.exited
  expect(lines).toHaveLength(20000)
  expect(lines.at(-1)).toMatchObject({ value: { id: 19999 } })
})

test('keeps the end of a long stderr', async () => {
  const { agent } = await driveNode(['-e', `process.stderr.write('x'.repeat(200_000) + 'the end')`])
  await agent.exited
  expect(agent.stderr.length).toBeLessThan(66_000)
  expect(agent.stderr).toMatch(/^\[… 134471 bytes cut …\]\nx+the end$/)
})

test('sending to an agent that does not read, or has exited, is not an error', async () => {
  const { agent, request } = await drive('closes-stdin')
  await request('initialize')
  for (let i = 0; i < 100; i++) agent.send({ jsonrpc: '2.0', id: i, method: 'x', params: 'x'.repeat(10_000) })
  agent.signal('SIGTERM')
  await expect(agent.exited).resolves.toEqual({ code: null, signal: 'SIGTERM' })
  agent.send({ jsonrpc: '2.0', id: 2, method: 'x' })
  agent.closeStdin()
  agent.send({ jsonrpc: '2.0', id: 3, method: 'x' })
})

test.each(['leaves-child', 'grandchild-keeps-pipe'])(
  '%s: what the agent leaves in its group dies with it',
  async (name) => {
    const driven = await drive(name)
    const [agent, child] = await pidsOf(driven)
    expect(agent).toBe(driven.agent.pid)
    driven.agent.closeStdin()
    await expect(driven.agent.exited).resolves.toEqual({ code: 0, signal: null })
    await until(() => !isAlive(child), 'the child is dead')
  },
)

test('a child in its own session that holds the pipe does not delay the exit, and dies with the workplace', async () => {
  const driven = await drive('grandchild-escapes')
  const [, child] = await pidsOf(driven)
  driven.agent.closeStdin()
  await driven.agent.exited
  expect(isAlive(child)).toBe(true)
  driven.workplace.remove()
  await until(() => !isAlive(child), 'the child is dead')
})

describe('a command that cannot be started', () => {
  const workplace = createWorkplace()
  afterAll(() => workplace.remove())

  function spawn(command: string, cwd = workplace.cwd) {
    return AgentProcess.spawn({ command, args: [], cwd, env: { PATH: process.env.PATH ?? '' }, onLine: () => {} })
  }

  test('is named, when it is not on the PATH', async () => {
    await expect(spawn('no-such-agent')).rejects.toThrow(
      /cannot start the agent "no-such-agent": the PATH holds no such executable.*(ENOENT|EACCES).*Check "command"/,
    )
  })

  test('is named, when the file does not exist', async () => {
    await expect(spawn('/no/such/agent')).rejects.toThrow(
      'cannot start the agent "/no/such/agent": there is no such file',
    )
  })

  test('is named, when it is not executable', async () => {
    const file = join(workplace.tmp, 'agent')
    writeFileSync(file, '')
    chmodSync(file, 0o644)
    await expect(spawn(file)).rejects.toThrow(`cannot start the agent "${file}": it is not executable (EACCES)`)
  })

  test('is not blamed for a missing working directory', async () => {
    await expect(spawn(process.execPath, '/no/such/dir')).rejects.toThrow(
      'its working directory /no/such/dir does not exist',
    )
  })

  test('is named, when Node refuses it', async () => {
    await expect(spawn('a\0b')).rejects.toThrow(/cannot start the agent "a\\u0000b": .*null bytes/)
  })
})

test('the agent gets only the given environment', async () => {
  const workplace = createWorkplace()
  const lines: unknown[] = []
  const agent = await AgentProcess.spawn({
    command: process.execPath,
    args: ['-p', 'JSON.stringify({ jsonrpc: "2.0", env: process.env })'],
    cwd: workplace.cwd,
    env: { ONLY: 'this' },
    onLine: (line) => lines.push(line),
  })
  await agent.exited
  workplace.remove()
  expect(lines).toMatchObject([{ value: { env: { ONLY: 'this' } } }])
  expect(lines).not.toMatchObject([{ value: { env: { PATH: expect.anything() } } }])
})

test('starts a script with the interpreter in its first line', async () => {
  const workplace = createWorkplace()
  const file = join(workplace.tmp, 'agent')
  writeFileSync(file, `#!${process.execPath}\nconsole.log('{"jsonrpc":"2.0"}')\n`, { mode: 0o755 })
  const lines: unknown[] = []
  const onLine = (line: unknown) => lines.push(line)
  const agent = await AgentProcess.spawn({ command: file, args: [], cwd: workplace.cwd, env: {}, onLine })
  await agent.exited
  workplace.remove()
  expect(lines).toMatchObject([{ kind: 'frame' }])
})

/** Runs a shell script as the agent, with this umask here, and gives what it wrote to stderr. */
async function inherited(script: string, env: Record<string, string>, umask: number): Promise<string> {
  const workplace = createWorkplace()
  const before = process.umask(umask)
  try {
    const options = { command: 'sh', args: ['-c', `(${script}) >&2`], cwd: workplace.cwd, onLine: () => {} }
    const agent = await AgentProcess.spawn({ ...options, env: { PATH: process.env.PATH ?? '', ...env } })
    await agent.exited
    return agent.stderr.replaceAll(workplace.root, '<root>')
  } finally {
    process.umask(before)
    workplace.remove()
  }
}

test.each([0o077, 0o000, 0o027])('the agent has the umask 022, though ours is %i', async (umask) => {
  await expect(inherited('umask; touch f; ls -l f | cut -c 1-10', {}, umask)).resolves.toBe('0022\n-rw-r--r--\n')
})

test('the agent has no controlling terminal, and writes no core file', async () => {
  await expect(inherited('(: </dev/tty) 2>/dev/null || echo none; ulimit -c', {}, 0o022)).resolves.toBe('none\n0\n')
})

const onLinux = process.platform === 'linux' ? test : test.skip

onLinux('nor does it write one where we would', async () => {
  const limit = (soft: string) => execFileSync('prlimit', ['--pid', String(process.pid), `--core=${soft}:`])
  const before = execFileSync('sh', ['-c', 'ulimit -S -c'], { encoding: 'utf8' }).trim()
  limit('1024')
  try {
    await expect(inherited('ulimit -S -c', {}, 0o022)).resolves.toBe('0\n')
  } finally {
    // The shell counts blocks of 512 bytes.
    limit(before === 'unlimited' ? before : String(Number(before) * 512))
  }
})

test('the starting shell adds no variable, and keeps the given ones', async () => {
  const script = 'process.stderr.write(Object.keys(process.env).sort().join())'
  const workplace = createWorkplace()
  const env = { ONLY: 'this', SHLVL: '7' }
  const options = { command: process.execPath, args: ['-e', script], cwd: workplace.cwd, onLine: () => {} }
  const agent = await AgentProcess.spawn({ ...options, env })
  await agent.exited
  workplace.remove()
  expect(agent.stderr.split(',').filter((name) => name !== '_')).toEqual(['ONLY', 'SHLVL'])
})

test('arguments reach the agent as they are', async () => {
  const args = ['', 'a b', '$HOME', "'", '"', '-n', '\n', '*']
  const { agent } = await driveNode([
    '-e',
    'process.stderr.write(JSON.stringify(process.argv.slice(1)))',
    '--',
    ...args,
  ])
  await agent.exited
  expect(JSON.parse(agent.stderr)).toEqual(args)
})

test('a script with a missing interpreter cannot be started', async () => {
  const workplace = createWorkplace()
  const command = join(workplace.tmp, 'agent')
  writeFileSync(command, '#!/no/such/interpreter\n', { mode: 0o755 })
  const started = AgentProcess.spawn({ command, args: [], cwd: workplace.cwd, env: {}, onLine: () => {} })
  await expect(started).rejects.toThrow('its "#!" line names a program that does not exist (ENOENT)')
  workplace.remove()
})
