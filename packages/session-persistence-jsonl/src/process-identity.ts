import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'

let own: string | undefined

/**
 * A unique name for this process: `<pid>-<start>`, without a dot or a slash. Pids are reused, in containers very soon;
 * a pid with its start time is not.
 */
export function thisProcess(): string {
  own ??= `${process.pid}-${startOf(process.pid) ?? 'unknown'}`
  return own
}

/** Whether the process with this name is running. A zombie is not. */
export function isRunning(identity: string): boolean {
  const match = /^([1-9]\d*)-(\w+)$/.exec(identity)
  if (!match) return false
  const pid = Number(match[1])
  return exists(pid) && startOf(pid) === match[2]
}

/** A cheap first check, for a pid that no process has. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EPERM'
  }
}

/** When a process started, as `\w+`; `undefined` when it is not running. */
function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') return startOnLinux(pid)
  // Windows has no cheap way to read the start time, so only the pid counts.
  if (process.platform === 'win32') return 'windows'
  const { stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
  })
  const [state = 'Z', ...start] = stdout.trim().split(/\s+/)
  return state.startsWith('Z') ? undefined : digest(start.join(' '))
}

/** The start time is in clock ticks since boot, so the boot id is part of it, and so is the PID namespace. */
function startOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is a command in parentheses, which may hold any character.
    const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return undefined
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1')
    return digest([fields[18], boot, readlinkSync('/proc/self/ns/pid')].join())
  } catch {
    return undefined
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
