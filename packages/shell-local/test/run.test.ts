import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LimitedRunOptions, run } from '../src/run.ts'

let cwd: string

beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'shell-local-')))
})

afterEach(() => {
  rmSync(cwd, { recursive: true })
})

/** Runs in a new directory, with limits that no test reaches unless it sets them. */
function runHere(command: string, options: Partial<LimitedRunOptions> = {}) {
  const signal = new AbortController().signal
  return run(command, { cwd, signal, timeoutMs: 20_000, maxOutputBytes: 30_000, ...options })
}

/** A command that runs a script in Node. */
const node = (script: string) => `'${process.execPath}' -e '${script}'`

test('returns the output and the exit code of a command', async () => {
  expect(await runHere('echo out; exit 3')).toEqual({
    output: 'out\n',
    exitCode: 3,
    signal: null,
    timeoutMs: 20_000,
    timedOut: false,
    truncated: false,
    outputBytes: 4,
    aborted: false,
  })
})

test('keeps stdout and stderr in the order in which they were written', async () => {
  const { output } = await runHere('echo a; echo b >&2; echo c; echo d >&2; echo e')
  expect(output).toBe('a\nb\nc\nd\ne\n')
})

test('names the signal that ended the shell', async () => {
  expect(await runHere('kill -KILL $$')).toMatchObject({ exitCode: null, signal: 'SIGKILL', aborted: false })
})

test('runs in the given directory', async () => {
  expect(await runHere('pwd -P')).toMatchObject({ output: `${cwd}\n` })
})

test('throws when the directory does not exist', async () => {
  const gone = join(cwd, 'gone')
  await expect(runHere('pwd', { cwd: gone })).rejects.toThrow(`cannot run a command in ${gone}: it is not a directory`)
})

test('gives a command no input, so that a command that reads input ends', async () => {
  expect(await runHere('cat; read line || echo none')).toMatchObject({ output: 'none\n', exitCode: 0 })
})

test('runs a command that begins with a dash', async () => {
  expect(await runHere('-x')).toMatchObject({ output: expect.stringContaining('-x'), exitCode: 127 })
})

test('reads no profile and no start-up file', async () => {
  for (const file of ['.profile', '.bash_profile', '.bashrc', 'startup'])
    writeFileSync(join(cwd, file), 'echo LOADED\n')
  const startup = join(cwd, 'startup')
  const { output } = await runHere('shopt -q login_shell || echo ran', {
    env: { HOME: cwd, BASH_ENV: startup, ENV: startup },
  })
  expect(output).toBe('ran\n')
})

test('falls back to sh where there is no bash', async () => {
  const { output } = await runHere('echo $0', { env: { PATH: onlySh() } })
  expect(output).toBe('sh\n')
})

test('hides variables that look like secrets from the command', async () => {
  process.env.SHELL_LOCAL_TEST_KEY = 'sk-1'
  process.env.SHELL_LOCAL_TEST_NAME = 'plain'
  try {
    const { output } = await runHere('echo "<$SHELL_LOCAL_TEST_KEY> $SHELL_LOCAL_TEST_NAME"; env')
    expect(output).toMatch(/^<> plain\n/)
    expect(output).not.toContain('sk-1')
  } finally {
    delete process.env.SHELL_LOCAL_TEST_KEY
    delete process.env.SHELL_LOCAL_TEST_NAME
  }
})

test('joins characters that arrive in two reads', async () => {
  const { output } = await runHere(node('process.stdout.write("a" + "€".repeat(100_000))'), { maxOutputBytes: 1e6 })
  expect(output).toBe(`a${'€'.repeat(100_000)}`)
})

test('shows an unfinished character as a replacement character', async () => {
  expect(await runHere("printf 'a\\xe2\\x82'")).toMatchObject({ output: 'a\ufffd' })
})

test('keeps the beginning of a large output, and counts all of it', async () => {
  const { output, truncated, outputBytes } = await runHere(node('process.stdout.write("€".repeat(100_000))'), {
    maxOutputBytes: 1_000,
  })
  expect({ output, truncated, outputBytes }).toEqual({
    output: '€'.repeat(333),
    truncated: true,
    outputBytes: 300_000,
  })
})

/** A PATH that contains only `sh`. */
function onlySh(): string {
  const sh = execFileSync('sh', ['-c', 'command -v sh'], { encoding: 'utf8' }).trim()
  symlinkSync(sh, join(cwd, 'sh'))
  return cwd
}
