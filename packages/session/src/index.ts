export { SessionLog } from './append-only-log.ts'
export type { FinishReason, StreamChunk } from './chunk.ts'
export { streamChunkSchema } from './chunk.ts'
export { closeInterruptedTurn } from './close-interrupted-turn.ts'
export type { ContentBlock, Usage } from './content-block.ts'
export type { Message } from './derive-messages.ts'
export { deriveMessages } from './derive-messages.ts'
export { describeDifference, differingField } from './differing-field.ts'
export type {
  EventData,
  EventOf,
  EventType,
  RequestHeader,
  SessionEvent,
  SessionHeader,
  TodoItem,
  TurnEndReason,
} from './event.ts'
export { isEvent, LOG_VERSION } from './event.ts'
export type { ParsedLog } from './jsonl.ts'
export {
  decodeSessionLog,
  parseHeader,
  parseSessionLog,
  printLine,
  printSessionLog,
  SessionLogError,
  splitTornTail,
} from './jsonl.ts'
export { replayDifference } from './replay-difference.ts'
export type { ReplayReportLine } from './replay-report.ts'
export { parseReplayReport } from './replay-report.ts'
export type { OverrideEntry, ReplayEntry } from './replay-script.ts'
export { deriveReplayScript, overrideSchema, parseOverride, ReplayScriptError } from './replay-script.ts'
