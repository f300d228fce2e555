import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

const DEADLINE_MS = 8_000
const POLL_MS = 10

/** Waits until a command has written a process id, with a newline, to `file`. */
export async function writtenPid(file: string): Promise<number> {
  return until(`${file} holds a process id`, async () => {
    const text = await readFile(file, 'utf8').catch(() => '')
    return text.endsWith('\n') ? Number(text) : undefined
  })
}

/** Waits until no process has the id. */
export async function untilGone(pid: number): Promise<void> {
  await until(`process ${pid} is gone`, async () => !isAlive(pid) || undefined)
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const deadline = Date.now() + DEADLINE_MS; Date.now() < deadline; await setTimeout(POLL_MS)) {
    const found = await look()
    if (found !== undefined) return found
  }
  throw new Error(`timed out after ${DEADLINE_MS} ms waiting until ${what}`)
}
