import { IdBook, isVolatileId, type NumberedIds } from './ids.ts'
import {
  isNumber,
  type Json,
  jsonNumber,
  jsonString,
  parseJson,
  printJson,
  replaceValues,
  type StringPool,
  valueAt,
} from './json.ts'
import { blockPieces } from './log-streams.ts'
import { pathFinder } from './paths.ts'
import { eachString, rewriteJson } from './rewrite.ts'
import { rewriteStreams } from './streams.ts'
import { replacer } from './text.ts'
import { findToken, token } from './tokens.ts'
import type { Volatile } from './volatile.ts'

/** The session logs that a run persisted, to be printed with their volatile values as tokens. */
export interface LogSet {
  readonly kind: 'acp-session-logs'
  /** The raw text of each log, the primary one first. */
  readonly logs: readonly string[]
  readonly volatile: Volatile
}

/** The token of a clock in a log: the log stays one that can be read. */
const CLOCK = jsonNumber(0)

/**
 * The text of each log with volatile values as tokens: ids of sessions, numbered over all logs; clocks; known paths;
 * and what the model is told of the system and its tools, which is pinned elsewhere. Where no `cwd` is known,
 * a log's own is. Lines end in LF, the last one too. Normalising twice changes nothing.
 *
 * @throws Error when a line is not JSON, naming log and line (counted from 1)
 */
export function normalizeSessionLogs(logs: readonly string[], volatile: Volatile = {}): string[] {
  const strings: StringPool = new Map()
  const parsed = logs.map((log, i) => parseLog(log, i, strings))
  const ids = numberSessions(parsed)
  const known = volatile.paths ?? {}
  const findKnown = pathFinder(known)
  return parsed.map((lines) => {
    const ownCwd = known.cwd ? undefined : cwdOf(lines[0])
    const findPath = ownCwd === undefined ? findKnown : pathFinder({ ...known, cwd: [ownCwd] })
    const finders = [findToken, findPath, ids.find]
    const rewriter = { value: () => undefined, text: replacer(finders) }
    const rewritten = lines
      .map((line, i) => (i === 0 && isHeader(line) ? tokenizeHeader(line, ids) : tokenizeEvent(line)))
      .map((line) => rewriteJson(line, rewriter))
    return rewriteStreams(lines, rewritten, blockPieces(lines), finders)
      .map((line) => `${printJson(line)}\n`)
      .join('')
  })
}

function numberSessions(logs: readonly (readonly Json[])[]): NumberedIds {
  const book = new IdBook()
  for (const lines of logs) {
    for (const line of lines) eachString(line, (text) => book.reserve(text))
    const header = lines[0]
    if (!header || !isHeader(header)) continue
    for (const key of SESSION_KEYS) {
      const id = valueAt(header, key)
      if (id?.kind === 'string' && isVolatileId('sessionId', id.value)) book.see('sessionId', id.value)
    }
  }
  return book.number()
}

const SESSION_KEYS = ['id', 'parentSession']

function isHeader(line: Json): boolean {
  return textOf(line, 'type') === 'session'
}

function cwdOf(line: Json | undefined): string | undefined {
  return line && isHeader(line) ? textOf(line, 'cwd') : undefined
}

function tokenizeHeader(header: Json, ids: NumberedIds): Json {
  return replaceValues(header, (key, value) => {
    if (key === 'createdAt' && isNumber(value)) return CLOCK
    if (!SESSION_KEYS.includes(key) || value.kind !== 'string') return undefined
    const known = ids.tokenOf('sessionId', value.value)
    return known === undefined ? undefined : jsonString(known)
  })
}

function tokenizeEvent(event: Json): Json {
  const isRequest = textOf(event, 'type') === 'request/header'
  return replaceValues(event, (key, value) => {
    if (key === 'time' && isNumber(value)) return CLOCK
    return key === 'data' && isRequest ? replaceValues(value, tokenizeRequest) : undefined
  })
}

function tokenizeRequest(key: string, value: Json): Json | undefined {
  if (key !== 'header') return undefined
  return replaceValues(value, (key) => (key === 'system' || key === 'tools' ? jsonString(token(key)) : undefined))
}

function textOf(json: Json, key: string): string | undefined {
  const value = valueAt(json, key)
  return value?.kind === 'string' ? value.value : undefined
}

function parseLog(text: string, log: number, strings: StringPool): Json[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line, i) => {
    try {
      return parseJson(line, strings)
    } catch (error) {
      const excerpt = line.length > 80 ? `${line.slice(0, 80)}…` : line
      const problem = `is not JSON: ${JSON.stringify(excerpt)} (${(error as Error).message})`
      throw new Error(`session log ${log + 1}, line ${i + 1} ${problem}. A log is one JSON object a line`)
    }
  })
}
