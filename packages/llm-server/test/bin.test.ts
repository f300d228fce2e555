import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

const bin = join(__dirname, '../bin/from-source.mjs')
let directory: string
let child: ChildProcess | undefined

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'llm-server-'))
})

afterEach(() => child?.kill('SIGKILL'))

afterAll(() => rm(directory, { recursive: true }))

test('prints its URL on one line, answers PONG without a script, and exits with 0 on SIGTERM', async () => {
  const { exited, url } = await startBin()
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(await ask(url)).toBe('PONG')
  expect(await ask(url)).toBe('PONG')
  child?.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
})

test('serves a script file, relative to the working directory', async () => {
  await writeFile(join(directory, 'script.json'), '["one", {"fault":"status","status":429}]')
  const { url } = await startBin('--script', 'script.json', '--seed', '3', '--packet-bytes', '9')
  expect(await ask(url)).toBe('one')
  expect(await ask(url)).toContain('Rate limit reached')
})

test('stderr has a line for each request that is refused, and at the end for the answers that none took', async () => {
  const script = [
    { when: { contains: 'never said' }, answer: 'a title' },
    { fault: 'stall' },
    'left',
    { fault: 'reset' },
  ]
  await writeFile(join(directory, 'long.json'), JSON.stringify(script))
  const { exited, url, stderr } = await startBin('--script', 'long.json')
  await fetch(`${url}/v1/embeddings`)
  const stalled = await fetch(`${url}/v1/messages`, { method: 'POST', body: '{"messages":[],"stream":true}' })
  child?.kill('SIGTERM')
  await expect(stalled.text()).rejects.toThrow()
  expect(await exited).toEqual([0, null])
  expect((await stderr).split('\n')).toEqual([
    'llm-server: answered GET /v1/embeddings with 404: unknown path. The README of llm-server lists the paths.',
    'llm-server: no call took these answers of the script: 0, 2, 3 (counted from 0)',
    '',
  ])
})

test('a script that repeats leaves no answer', async () => {
  await writeFile(join(directory, 'repeated.json'), '["one", "two"]')
  const { exited, url, stderr } = await startBin('--script', 'repeated.json', '--repeat')
  await fetch(`${url}/v1/models`)
  child?.kill('SIGINT')
  expect([await exited, await stderr]).toEqual([[0, null], ''])
})

test.each([
  [['--port', 'x'], '--port: expected a whole number, got "x"'],
  [['--port', '65536'], '65536'],
  [['--script', 'missing.json'], 'missing.json'],
  [['--fast'], "Unknown option '--fast'"],
  [['script.json'], 'script.json'],
])('%j exits with 2 and says what is wrong', async (args, problem) => {
  const { stdout, stderr, exit } = await runBin(args)
  expect(stderr).toContain(problem)
  expect(stderr).toContain('Run "llm-server --help" for the options.')
  expect([stdout, exit]).toEqual(['', [2, null]])
})

test.each(['--help', '-h'])('%s describes every option and exits with 0', async (flag) => {
  const { stdout, stderr, exit } = await runBin([flag])
  for (const option of ['script', 'repeat', 'port', 'seed', 'packet-bytes', 'delay-ms', 'help'])
    expect(stdout).toMatch(new RegExp(`^  (-h, )?--${option}( [A-Z]+)?  `, 'm'))
  expect([stderr, exit]).toEqual(['', [0, null]])
})

async function runBin(args: string[]) {
  const started = spawn(process.execPath, [bin, ...args], { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] })
  child = started
  const exited = once(started, 'exit')
  const [stdout, stderr] = await Promise.all([text(started.stdout), text(started.stderr)])
  return { stdout, stderr, exit: await exited }
}

async function startBin(...args: string[]) {
  const started = spawn(process.execPath, [bin, ...args], { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] })
  child = started
  const exited = once(started, 'exit')
  const stderr = text(started.stderr)
  const [line] = await once(createInterface(started.stdout), 'line')
  return { exited, stderr, url: String(line).replace(/^llm-server /, '') }
}

async function ask(url: string): Promise<string> {
  const response = await fetch(`${url}/chat/completions`, { method: 'POST', body: '{"stream":true}' })
  const body = await response.text()
  const texts = [...body.matchAll(/"content":"([^"]+)"/g)].map(([, content]) => content)
  return response.ok ? texts.join('') : body
}
