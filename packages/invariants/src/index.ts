import type {} from '@acp-snapshot/agent'
import type { Context } from 'cordis'
import { EventContract } from './contract.ts'

export const name = 'invariants'

/** Holds each session to the event contract while the agent runs: the first event that breaks it fails the turn. */
export function apply(ctx: Context): void {
  const contracts = new Map<string, EventContract>()
  ctx.on('session/opened', ({ id, log }) => {
    const contract = new EventContract(id)
    for (const event of log.events) contract.check(event)
    contracts.set(id, contract)
  })
  ctx.on('session/event', ({ id }, event) => contracts.get(id)?.check(event))
}
