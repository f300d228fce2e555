import { SessionLog } from './append-only-log.ts'
import { deriveMessages } from './derive-messages.ts'
import { type DifferingField, differingField } from './differing-field.ts'
import { type ParsedLog, parseSessionLog, printSessionLog } from './jsonl.ts'

/**
 * Checks that a log, printed and parsed into a fresh session, derives the same messages.
 *
 * @returns the first difference, or `undefined`
 * @throws SessionLogError when the printed log cannot be parsed
 */
export function replayDifference({ header, events }: ParsedLog): DifferingField | undefined {
  const read = parseSessionLog(printSessionLog({ header, events }), `the log of session ${header.id}`)
  const fresh = new SessionLog(read.header, read.events)
  return differingField(deriveMessages(events), deriveMessages(fresh.events), 'messages')
}
