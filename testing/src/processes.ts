import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const DEADLINE_MS = 20_000
const POLL_MS = 10

/** The processes that have a path into a directory in their command line or environment. On Linux only. */
export function processesIn(dir: string): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readProc(pid, 'environ').includes(dir) || readProc(pid, 'cmdline').includes(dir))
    .map((pid) => `${pid} ${readProc(pid, 'cmdline').replaceAll('\0', ' ').trim()}`)
}

/** Waits until the list is empty. The processes are not our children, so no event tells when they end. */
export async function untilNone(list: () => string[]): Promise<void> {
  await poll(
    () => list().length === 0 || undefined,
    () => `these processes to end:\n${list().join('\n')}`,
  )
}

/** Waits until no process has the id. */
export async function untilGone(pid: number): Promise<void> {
  await poll(
    () => !isAlive(pid) || undefined,
    () => `process ${pid} to end`,
  )
}

/** Waits until a command has written a process id, with a newline, to `file`. */
export async function writtenPid(file: string): Promise<number> {
  return poll(
    () => {
      const text = readIfAny(file)
      return text.endsWith('\n') ? Number(text) : undefined
    },
    () => `a process id in ${file}`,
  )
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function poll<T>(look: () => T | undefined, waitingFor: () => string): Promise<T> {
  for (const deadline = Date.now() + DEADLINE_MS; ; await delay(POLL_MS)) {
    const found = look()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error(`timed out after ${DEADLINE_MS} ms waiting for ${waitingFor()}`)
  }
}

/** Empty for a process that has ended, or that is not ours. */
function readProc(pid: string, file: string): string {
  return readIfAny(`/proc/${pid}/${file}`)
}

function readIfAny(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
