import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const WAIT_MS = 20_000
const PAUSE_MS = 20

/** The processes that have a path into a directory in their command line or environment: on Linux alone. */
export function processesIn(dir: string): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(pid, 'environ').includes(dir) || read(pid, 'cmdline').includes(dir))
    .map((pid) => `${pid} ${read(pid, 'cmdline').replaceAll('\0', ' ').trim()}`)
}

/** Waits for the end of processes that are not our children, so that there is no event for it. */
export async function untilNone(list: () => string[]): Promise<void> {
  const deadline = Date.now() + WAIT_MS
  while (list().length > 0) {
    if (Date.now() > deadline) throw new Error(`still there after ${WAIT_MS} ms:\n${list().join('\n')}`)
    await delay(PAUSE_MS)
  }
}

/** What a process that is gone, or not ours, has there is nothing. */
function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}
