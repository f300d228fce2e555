export type { FinishReason, StreamChunk } from './chunk.ts'
export { streamChunkSchema } from './chunk.ts'
export type { ContentBlock, Usage } from './content.ts'
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
export { closeInterruptedTurn } from './interrupted.ts'
export { parseJsonText } from './json-text.ts'
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
export { SessionLog } from './log.ts'
export type { Message } from './messages.ts'
export { deriveMessages } from './messages.ts'
export type { OverrideEntry, ReplayEntry } from './replay.ts'
export { deriveReplayScript, overrideSchema, parseOverride, ReplayScriptError } from './replay.ts'
export type { ReplayReportLine } from './report.ts'
export { parseReplayReport } from './report.ts'
export { replayDifference } from './universal-replay.ts'
