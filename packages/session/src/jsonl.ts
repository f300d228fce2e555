import { parseJsonText } from '@acp-snapshot/json-text'
import type * as z from 'zod'
import {
  dataSchemas,
  type EventType,
  eventSchema,
  foreignMessageSchema,
  headerSchema,
  LOG_VERSION,
  type SessionEvent,
  type SessionHeader,
  SURFACE_TYPES,
} from './event.ts'

const LF = 0x0a

/** A parsed log: the header line, and the events in order. */
export interface ParsedLog {
  header: SessionHeader
  events: SessionEvent[]
}

/** An invalid log. The message names the file and the line (counted from 1). */
export class SessionLogError extends Error {
  override name = 'SessionLogError'
  readonly file: string
  readonly line: number

  constructor(file: string, line: number, problem: string) {
    super(`${file}:${line}: ${problem}`)
    this.file = file
    this.line = line
  }
}

/**
 * Parses a whole log. Accepts unknown event types and keys; strict about everything else.
 * The text must end in a newline: a last line without one is torn, and {@link splitTornTail} removes it.
 *
 * @param file names the log in errors
 * @throws SessionLogError
 */
export function parseSessionLog(text: string, file: string): ParsedLog {
  if (text === '') throw new SessionLogError(file, 1, 'the log is empty; line 1 must be the session header')
  if (text.includes('\r')) {
    const line = text.slice(0, text.indexOf('\r')).split('\n').length
    throw new SessionLogError(file, line, 'contains a carriage return; session logs use LF line endings')
  }
  const lines = text.split('\n')
  if (lines.pop() !== '') {
    throw new SessionLogError(file, lines.length + 1, 'the last line has no newline: it is torn')
  }
  const header = parseHeader(lines[0] ?? '', file)
  return { header, events: lines.slice(1).map((line, i) => parseEvent(line, file, i + 2, i)) }
}

/** Parses the header line. @throws SessionLogError */
export function parseHeader(line: string, file: string): SessionHeader {
  const value = parseLine(line, file, 1)
  if (value.type !== 'session') {
    throw new SessionLogError(file, 1, `expected the session header, got type ${JSON.stringify(value.type)}`)
  }
  if (value.version !== LOG_VERSION) {
    const got = JSON.stringify(value.version)
    throw new SessionLogError(file, 1, `log version ${got} is not supported; this reader knows version ${LOG_VERSION}`)
  }
  check(headerSchema, value, file, 1, '')
  return value as unknown as SessionHeader
}

function parseEvent(text: string, file: string, line: number, seq: number): SessionEvent {
  const value = parseLine(text, file, line)
  check(eventSchema, value, file, line, '')
  const event = value as unknown as SessionEvent
  if (event.seq !== seq) throw new SessionLogError(file, line, `expected seq ${seq}, got ${event.seq}`)
  if (Object.hasOwn(dataSchemas, event.type)) {
    check(dataSchemas[event.type as EventType], event.data, file, line, `${event.type} data`)
  }
  if (event.surfaceOp && !SURFACE_TYPES.has(event.type)) {
    check(foreignMessageSchema, event.data, file, line, `${event.type} adds a message to the history, but its data`)
  }
  return event
}

function parseLine(text: string, file: string, line: number): Record<string, unknown> {
  const read = parseJsonText(text)
  if ('problem' in read) throw new SessionLogError(file, line, `${read.problem} (column ${read.column})`)
  const { value } = read
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SessionLogError(file, line, `expected a JSON object, got ${excerpt(text)}`)
  }
  return value as Record<string, unknown>
}

function check(schema: z.ZodType, value: unknown, file: string, line: number, what: string): void {
  const result = schema.safeParse(value)
  if (result.success) return
  const issue = result.error.issues[0]
  const path = [what, issue?.path.join('.')].filter(Boolean).join(' ')
  throw new SessionLogError(file, line, `${path}: ${issue?.message ?? 'invalid'}`)
}

function excerpt(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/**
 * Splits off a last line that a crash left incomplete: the bytes after the last newline. `torn` is empty when the log is
 * complete. Works on bytes, since a crash may split a character.
 */
export function splitTornTail(bytes: Uint8Array): { whole: Uint8Array; torn: Uint8Array } {
  const end = bytes.lastIndexOf(LF) + 1
  return { whole: bytes.subarray(0, end), torn: bytes.subarray(end) }
}

/** Decodes a log without loss: encoding the text gives the same bytes. @throws SessionLogError for invalid UTF-8 */
export function decodeSessionLog(bytes: Uint8Array, file: string): string {
  try {
    return decode(bytes)
  } catch {
    throw new SessionLogError(file, firstInvalidLine(bytes), 'is not UTF-8')
  }
}

function firstInvalidLine(bytes: Uint8Array): number {
  for (let line = 1, start = 0; ; line++) {
    const end = bytes.indexOf(LF, start)
    try {
      decode(bytes.subarray(start, end === -1 ? bytes.length : end))
    } catch {
      return line
    }
    if (end === -1) return line
    start = end + 1
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

/** Prints a log in its line format. Printing the result of {@link parseSessionLog} gives the same bytes. */
export function printSessionLog(log: ParsedLog): string {
  return [log.header, ...log.events].map(printLine).join('')
}

/** Prints a header or an event as one line, with its newline. */
export function printLine(value: SessionHeader | SessionEvent): string {
  return `${JSON.stringify(value)}\n`
}
