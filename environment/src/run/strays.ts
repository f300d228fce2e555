import { setTimeout as delay } from 'node:timers/promises'
import type { Workplace } from '../child/index.ts'
import { inspect, StepError } from '../scenario-error.ts'

/** A killed process takes a moment to disappear, longer on a busy machine. */
const GRACE_MS = 2000
const PAUSE_MS = 20

/**
 * Checks that every process the agent started has exited. Processes in the agent's own group do not count: they are
 * killed with it. The others end when the workplace is removed.
 *
 * @throws StepError naming each process
 */
export async function requireNoStrays(workplace: Workplace): Promise<void> {
  const end = Date.now() + GRACE_MS
  let strays = workplace.strays()
  while (strays.length > 0 && Date.now() < end) {
    await delay(PAUSE_MS)
    strays = workplace.strays()
  }
  if (strays.length === 0) return
  const list = strays.map(({ pid, command }) => `${inspect(command)} (pid ${pid})`).join(', ')
  throw new StepError(
    'every process that the agent started to exit before it',
    `still running: ${list}. The test run stops them. Make the agent stop its children before it exits`,
  )
}
