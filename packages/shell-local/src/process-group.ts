import { spawnSync } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'

/** How long to wait for a process to end after SIGTERM, and for a pipe to close, in milliseconds. */
export const GRACE_MS = 500

const POLL_MS = 10

const live = new Set<number>()

/** Calls `body`. While it runs, {@link killLiveGroups} kills the group. */
export async function whileLive<T>(leader: number, body: () => Promise<T>): Promise<T> {
  live.add(leader)
  try {
    return await body()
  } finally {
    live.delete(leader)
  }
}

/** Kills every live group. Synchronous, so that an exit handler can call it. */
export function killLiveGroups(): void {
  for (const leader of live) signalGroup(leader, 'SIGKILL')
}

/** Ends a process group: SIGTERM, then SIGKILL for processes that still run after the grace period. */
export async function endGroup(leader: number): Promise<void> {
  if (!signalGroup(leader, 'SIGTERM')) return
  for (const deadline = Date.now() + GRACE_MS; Date.now() < deadline; await setTimeout(POLL_MS)) {
    if (!signalGroup(leader, 0)) return
  }
  signalGroup(leader, 'SIGKILL')
}

/** Returns whether the group got the signal. Windows has neither groups nor SIGTERM: there, it kills the process tree. */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  if (process.platform === 'win32') {
    if (signal !== 0) spawnSync('taskkill', ['/pid', String(leader), '/t', '/f'], { windowsHide: true })
    return false
  }
  try {
    return process.kill(-leader, signal)
  } catch {
    return false
  }
}
