import { EventContract } from '@acp-snapshot/invariants/contract'
import type { ParsedLog } from '@acp-snapshot/session'

/** Checks a persisted log against the event contract, and expects that its last turn has ended. */
export function expectBalanced({ header, events }: ParsedLog): void {
  const contract = new EventContract(header.id)
  for (const event of events) contract.check(event)
  expect(events.at(-1)?.type).toBe('turn/end')
}
