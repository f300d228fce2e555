import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'

let own: string | undefined

/**
 * Names this process for good: `<pid>-<start>`, without a dot or a slash. The pid alone is used again, in containers
 * very soon; together with the time of the start it is not.
 */
export function thisProcess(): string {
  own ??= `${process.pid}-${startOf(process.pid) ?? 'unknown'}`
  return own
}

/** Whether the process of this name runs. A zombie, which only waits for its parent to notice, does not. */
export function isRunning(identity: string): boolean {
  const match = /^([1-9]\d*)-(\w+)$/.exec(identity)
  if (!match) return false
  const pid = Number(match[1])
  return exists(pid) && startOf(pid) === match[2]
}

/** Spares the rest of the work for a pid that no process has. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EPERM'
  }
}

/** When a process started, as a word; `undefined` when it does not run. */
function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') return startOnLinux(pid)
  // There is no such time to be asked for cheaply: the pid has to do.
  if (process.platform === 'win32') return 'windows'
  const { stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
  })
  const [state = 'Z', ...start] = stdout.trim().split(/\s+/)
  return state.startsWith('Z') ? undefined : digest(start.join(' '))
}

/** Clock ticks since the boot, so the boot belongs to it, and the namespace in which the pid counts. */
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
