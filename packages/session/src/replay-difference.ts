import { SessionLog } from './append-only-log.ts'
import { deriveMessages } from './derive-messages.ts'
import { type DifferingField, differingField } from './differing-field.ts'
import { type ParsedLog, parseSessionLog, printSessionLog } from './jsonl.ts'

/**
 * The universal replay invariant: a log that is printed, and read into a fresh session, derives the same messages.
 * Gives where it does not.
 *
 * @throws SessionLogError when what is printed cannot be read
 */
export function replayDifference({ header, events }: ParsedLog): DifferingField | undefined {
  const read = parseSessionLog(printSessionLog({ header, events }), `the log of session ${header.id}`)
  const fresh = new SessionLog(read.header, read.events)
  return differingField(deriveMessages(events), deriveMessages(fresh.events), 'messages')
}
