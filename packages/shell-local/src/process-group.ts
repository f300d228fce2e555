import { spawnSync } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'

/** How long a process has to end by itself, and a pipe to run dry, in milliseconds. */
export const GRACE_MS = 500

const POLL_MS = 10

const live = new Set<number>()

/** Calls `body`, and has the group on the list of {@link killLiveGroups} meanwhile. */
export async function whileLive<T>(leader: number, body: () => Promise<T>): Promise<T> {
  live.add(leader)
  try {
    return await body()
  } finally {
    live.delete(leader)
  }
}

/** Kills every group that is still live, synchronously: for a process that is exiting. */
export function killLiveGroups(): void {
  for (const leader of live) signalGroup(leader, 'SIGKILL')
}

/** Ends all that is left of a group: SIGTERM, and SIGKILL for what is still there after the grace. */
export async function endGroup(leader: number): Promise<void> {
  if (!signalGroup(leader, 'SIGTERM')) return
  for (const deadline = Date.now() + GRACE_MS; Date.now() < deadline; await setTimeout(POLL_MS)) {
    if (!signalGroup(leader, 0)) return
  }
  signalGroup(leader, 'SIGKILL')
}

/** Whether the group was there to get the signal. Windows has no groups and no gentle end: the tree is killed. */
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
