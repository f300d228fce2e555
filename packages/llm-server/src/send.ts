import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Plan } from './plan.ts'

/** The delay before a cut, in ms. When a connection breaks, the client drops the data that it has not read yet. */
const CUT_DELAY = 50

/**
 * Sends the planned response, and stops when the client disconnects.
 *
 * @param nextDelay the delay before the next packet, in ms
 */
export async function sendPlan(plan: Plan, response: ServerResponse, nextDelay: () => number): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  try {
    await send(plan, response, nextDelay, gone.signal)
  } catch (error) {
    if (!gone.signal.aborted) throw error
  }
}

async function send(plan: Plan, response: ServerResponse, nextDelay: () => number, gone: AbortSignal): Promise<void> {
  if (plan.end === 'reset') {
    response.socket?.resetAndDestroy()
    return
  }
  response.writeHead(plan.status, { 'content-type': plan.contentType })
  response.flushHeaders()
  for (const packet of plan.packets) {
    const delay = nextDelay()
    if (delay > 0) await sleep(delay, undefined, { signal: gone })
    if (!response.write(packet)) await once(response, 'drain', { signal: gone })
  }
  if (plan.end === 'close') response.end()
  if (plan.end === 'cut') {
    await sleep(CUT_DELAY, undefined, { signal: gone })
    response.destroy()
  }
}
