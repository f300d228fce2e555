import type { ParsedLog } from '@acp-snapshot/session'
import { EventContract } from '../../invariants/src/contract.ts'

/** Holds a persisted log to the event contract, and expects it to end with a closed turn. */
export function expectBalanced({ header, events }: ParsedLog): void {
  const contract = new EventContract(header.id)
  for (const event of events) contract.check(event)
  expect(events.at(-1)?.type).toBe('turn/end')
}
