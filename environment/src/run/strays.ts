import { setTimeout as delay } from 'node:timers/promises'
import type { Workplace } from '../child/index.ts'
import { inspect, StepError } from '../scenario-error.ts'

/** A killed process needs a moment to go, on a busy machine a longer one. */
const GRACE_MS = 2000
const PAUSE_MS = 20

/**
 * Expects that nothing which the agent started outlives it. It does not say so of processes in the agent's own group,
 * which are killed with it. What is found here ends with the workplace.
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
    'no process that the agent started to outlive it',
    `${list}. It was ended. Let the agent end its children before it exits`,
  )
}
