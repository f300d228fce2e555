import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive, untilGone, writtenPid } from '@acp-snapshot/testing/processes'
import { type LimitedRunOptions, run } from '../src/run.ts'

let cwd: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'shell-local-'))
})

afterEach(() => {
  rmSync(cwd, { recursive: true })
})

function runHere(command: string, options: Partial<LimitedRunOptions> = {}) {
  const signal = new AbortController().signal
  return run(command, { cwd, signal, timeoutMs: 20_000, maxOutputBytes: 30_000, ...options })
}

/** Starts a command, aborts it after it has written a process id to the file `pid`, and waits until that process is gone. */
async function abortOnceWritten(command: string) {
  const turn = new AbortController()
  const result = runHere(command, { signal: turn.signal })
  const pid = await writtenPid(join(cwd, 'pid'))
  turn.abort()
  const settled = await result
  await untilGone(pid)
  return settled
}

test('an abort stops the command and its children, and keeps the output', async () => {
  const result = await abortOnceWritten('echo begun; sleep 1000 & echo $! > pid; wait')
  expect(result).toMatchObject({ output: 'begun\n', aborted: true, timedOut: false, signal: 'SIGTERM' })
})

test('an abort kills processes that ignore SIGTERM', async () => {
  const result = await abortOnceWritten("trap '' TERM; sleep 1000 & echo $! > pid; wait")
  expect(result).toMatchObject({ aborted: true, signal: 'SIGKILL' })
})

test('an abort gives the command time to clean up', async () => {
  const result = await abortOnceWritten("trap 'echo cleaned; exit 7' TERM; sleep 1000 & echo $! > pid; wait")
  expect(result).toMatchObject({ output: 'cleaned\n', exitCode: 7, aborted: true })
})

test('a command is not started when the turn is already cancelled', async () => {
  const result = await runHere('touch started; echo begun', { signal: AbortSignal.abort() })
  expect(result).toMatchObject({ output: '', exitCode: null, signal: null, aborted: true })
})

test('a time-out stops the command and its children', async () => {
  const result = await runHere('sleep 1000 & echo $! > pid; wait', { timeoutMs: 300 })
  expect(result).toMatchObject({ timedOut: true, timeoutMs: 300, aborted: false, exitCode: null })
  await untilGone(await writtenPid(join(cwd, 'pid')))
})

test('a background process ends with its command, with or without the pipe', async () => {
  const result = await runHere('sleep 1000 & echo $! > pid; sleep 1000 >/dev/null 2>&1 & echo $! > other; echo done')
  expect(result).toMatchObject({ output: 'done\n', exitCode: 0, timedOut: false })
  await untilGone(await writtenPid(join(cwd, 'pid')))
  await untilGone(await writtenPid(join(cwd, 'other')))
})

test('output that a background process prints just after the shell ended is not lost', async () => {
  const result = await runHere('(while kill -0 $$ 2>/dev/null; do :; done; echo late) & echo early')
  expect(result).toMatchObject({ output: 'early\nlate\n', exitCode: 0 })
})

test('a process that left the group and holds the pipe does not block the command', async () => {
  const script =
    'const { spawn } = require("child_process");' +
    'const child = spawn("sleep", ["1000"], { detached: true, stdio: "inherit" });' +
    'require("fs").writeFileSync("pid", child.pid + "\\n"); child.unref()'
  const result = await runHere(`'${process.execPath}' -e '${script}'; echo done`)
  const escaped = await writtenPid(join(cwd, 'pid'))
  try {
    expect(result).toMatchObject({ output: 'done\n', exitCode: 0, timedOut: false })
    expect(isAlive(escaped)).toBe(true)
  } finally {
    process.kill(escaped, 'SIGKILL')
  }
})
