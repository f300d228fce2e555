import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readRegularText } from '../io/regular-file.ts'

const FILE = '.owner'
const MAX_BYTES = 1000

/**
 * Identifies a process permanently: the system reuses a pid. The agent's own log lock follows the same rule
 * (`session-persistence-jsonl`), in code of its own: the environment knows only the format of an agent's log.
 * `place` is the boot and the namespace in which the pid is valid.
 */
interface Owner {
  pid: number
  start: string
  place: string
}

/** Marks a temp root as owned by this process. */
export function writeOwner(root: string): void {
  own ??= { pid: process.pid, start: startOf(process.pid) ?? '', place: placeOf() }
  writeFileSync(join(root, FILE), JSON.stringify(own), { flag: 'wx' })
}

let own: Owner | undefined

/** The state of a temp root's owner. It is unknown without an owner file, or when its processes are not visible here. */
export function ownerOf(root: string): 'runs' | 'is gone' | 'is unknown' {
  const owner = readOwner(root)
  if (owner === undefined || owner.place !== placeOf()) return 'is unknown'
  return startOf(owner.pid) === owner.start ? 'runs' : 'is gone'
}

function readOwner(root: string): Owner | undefined {
  let value: unknown
  try {
    value = JSON.parse(readRegularText(join(root, FILE), { maxBytes: MAX_BYTES, within: root }) ?? '')
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { pid, start, place } = value as Partial<Record<keyof Owner, unknown>>
  if (!Number.isSafeInteger(pid) || typeof start !== 'string' || typeof place !== 'string') return undefined
  return { pid: Number(pid), start, place }
}

function placeOf(): string {
  if (process.platform !== 'linux') return process.platform
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${readlinkSync('/proc/self/ns/pid')}`
}

/** When a process started; `undefined` if it does not run or is a zombie. */
function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    if (!existsSync(`/proc/${pid}/stat`)) return undefined
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      // The second field is a command in parentheses, which may hold any character.
      const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return state === 'Z' || state === 'X' ? undefined : fields[18]
    } catch {
      return undefined
    }
  }
  // Windows has no cheap way to read the start time; the pid must do.
  if (process.platform === 'win32') return exists(pid) ? 'windows' : undefined
  const options = { encoding: 'utf8', env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } } as const
  const [state = 'Z', ...start] = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], options)
    .stdout.trim()
    .split(/\s+/)
  return state.startsWith('Z') || state === '' ? undefined : start.join(' ')
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
