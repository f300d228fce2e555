import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { guardDir } from '../../src/child/reaper.ts'
import { isAlive, reapers, until } from './drive.ts'

// Longer than the waits in the tests, so that these report the failure.

/** What a host says that there is to clear up. */
interface Said {
  pid: number
  pids: number[]
  reapers: number[]
}

const HOST = join(__dirname, 'host.ts')
const IDLE_HOST = join(__dirname, 'idle-host.ts')
const LOADER = ['-r', require.resolve('esbuild-register')]

let temp: string
let host: ChildProcess
let said: Said

function guardNothing(): () => void {
  return guardDir(join(tmpdir(), 'acp-never-made'))
}

/** Starts a host, or a parent of one, in a group of its own, with a temp directory of its own. */
async function start(...args: string[]): Promise<void> {
  const env = { PATH: process.env.PATH, TMPDIR: temp }
  host = spawn(process.execPath, args, { env, detached: true, stdio: ['pipe', 'pipe', 'inherit'] })
  said = await hear()
  expect(said.pids.filter(isAlive)).toHaveLength(5)
  expect(fs.readdirSync(temp)).toHaveLength(3)
}

async function hear(): Promise<Said> {
  const [text] = await once(host.stdout ?? host, 'data')
  return JSON.parse(String(text)) as Said
}

function killReaper(): void {
  for (const reaper of said.reapers) process.kill(reaper, 'SIGKILL')
}

async function nothingStays(): Promise<void> {
  await until(() => !isAlive(said.pid), 'the host is dead')
  await until(() => !said.pids.some(isAlive), 'the agents, their children and the command are dead')
  await until(() => fs.readdirSync(temp).length === 0, 'the temp directories are gone')
  await until(() => !said.reapers.some(isAlive), 'the reaper is gone')
}

/** Whether the process has a handler for SIGHUP, which is signal 1. (Node itself has one for SIGINT and SIGTERM.) */
function ignoresHangup(pid: number): boolean {
  const [, mask = '0'] = /^SigCgt:\s*(\w+)$/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return (BigInt(`0x${mask}`) & 1n) === 1n
}

// Reapers are found in /proc.
const onLinux = process.platform === 'linux' ? describe : describe.skip
/** Those that earlier test files of this process left, which end soon. */
const others = process.platform === 'linux' ? reapers() : []
const mine = () => reapers().filter((pid) => !others.includes(pid))

describe('the reaper', () => {
  // In a process that does nothing else, since what Jest has open changes at any moment.
  test.each(['spawned', 'forked'])('holds nothing open in a %s process, which ends by itself', async (how) => {
    const child =
      how === 'forked'
        ? fork(IDLE_HOST, [], { execArgv: LOADER, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
        : spawn(process.execPath, [...LOADER, IDLE_HOST], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    let text = ''
    child.stdout?.on('data', (chunk) => {
      text += chunk
    })
    expect(await ended).toEqual([0, null])
    const { before, held, released } = JSON.parse(text)
    // While something is held, a worker listens for the death of its parent.
    if (how === 'spawned') expect(held).toEqual(before)
    expect(released).toEqual(before)
  })

  test('does not end while there is something to guard', () => {
    // A scenario that ran earlier in this worker left its reaper here, whose timers are not those of this file.
    Reflect.deleteProperty(process, Symbol.for('jest-environment-acp.reaper'))
    jest.useFakeTimers()
    try {
      guardNothing()()
      expect(jest.getTimerCount()).toBe(1)
      const release = guardNothing()
      expect(jest.getTimerCount()).toBe(0)
      release()
      jest.runAllTimers()
    } finally {
      jest.useRealTimers()
    }
  })
})

onLinux('the reaper', () => {
  test('ends soon after there is nothing left to guard, and another starts when there is', async () => {
    guardNothing()()
    expect(mine()).not.toHaveLength(0)
    await until(() => mine().length === 0, 'the reaper has ended')
    const release = guardNothing()
    expect(mine()).toHaveLength(1)
    release()
  })
})

onLinux('nothing stays', () => {
  beforeEach(() => {
    temp = fs.mkdtempSync(join(tmpdir(), 'reaper-test-'))
    said = { pid: 0, pids: [], reapers: [] }
  })

  afterEach(() => {
    for (const pid of [host.pid ?? 0, said.pid, ...said.pids, ...said.reapers]) {
      if (pid > 1 && isAlive(pid)) process.kill(pid, 'SIGKILL')
    }
    fs.rmSync(temp, { recursive: true, force: true })
  })

  test('when the host cleans up: one reaper serves all, keeps no process waiting, and exits by itself', async () => {
    await start(...LOADER, HOST)
    expect(said.reapers).toHaveLength(1)
    host.stdin?.write('tidy')
    expect(await once(host, 'exit')).toEqual([0, null])
    await nothingStays()
  })

  test('when the host exits without cleaning up', async () => {
    await start(...LOADER, HOST)
    host.stdin?.write('exit')
    expect(await once(host, 'exit')).toEqual([0, null])
    await nothingStays()
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('when %s comes to the whole group', async (signal) => {
    await start(...LOADER, HOST)
    process.kill(-said.pid, signal)
    expect(await once(host, 'exit')).toEqual([null, signal])
    await nothingStays()
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('when %s comes and the reaper is dead', async (signal) => {
    await start(...LOADER, HOST)
    killReaper()
    host.kill(signal)
    await once(host, 'exit')
    await nothingStays()
  })

  test('when the host exits and the reaper is dead', async () => {
    await start(...LOADER, HOST)
    killReaper()
    host.stdin?.write('exit')
    await once(host, 'exit')
    await nothingStays()
  })

  test('when SIGKILL hits a host whose reaper died once: the next reaper gets the whole list', async () => {
    await start(...LOADER, HOST)
    const [first] = said.reapers
    killReaper()
    await until(() => !fs.existsSync(`/proc/${first}`), 'the host knows that its reaper is dead')
    host.stdin?.write('more')
    said = await hear()
    expect(said.reapers).toHaveLength(1)
    expect(said.reapers).not.toEqual([first])
    host.kill('SIGKILL')
    await nothingStays()
  })

  test('when SIGKILL comes after the reaper ignored every other signal', async () => {
    await start(...LOADER, HOST)
    await until(() => said.reapers.every(ignoresHangup), 'the reaper has started')
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      for (const reaper of said.reapers) process.kill(reaper, signal)
    }
    host.kill('SIGKILL')
    await nothingStays()
  })

  test("when the host's parent is killed, and only the IPC channel shows it", async () => {
    await start(join(__dirname, 'parent.cjs'), HOST, ...LOADER)
    host.kill('SIGKILL')
    await nothingStays()
  })
})
