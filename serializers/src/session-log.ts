import { IdBook, type NumberedIds, volatileKind, volatileKindInLog } from './ids.ts'
import { isNumber, type Json, jsonNumber, jsonString, printJson, replaceValues, valueAt } from './json.ts'
import { parseJson, readJson, type StringPool } from './json-reader.ts'
import { BlockPieces } from './log-streams.ts'
import { pathFinders } from './path-finders.ts'
import { Replacer } from './replacer.ts'
import { eachString, type Rewriter, rewriteJson } from './rewrite.ts'
import { isClock } from './rules/clocks.ts'
import { shapeFinders } from './shape-finders.ts'
import { type Piece, rewriteStreams } from './streamed-text.ts'
import { token } from './tokens.ts'
import type { Volatile } from './volatile-values.ts'

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
 * @throws Error when a line is not JSON, or nested too deeply, naming log and line (counted from 1)
 */
export function normalizeSessionLogs(logs: readonly string[], volatile: Volatile = {}): string[] {
  const strings: StringPool = new Map()
  const book = new IdBook()
  const read = logs.map((log, i) => readLog(log, i, strings, book))
  const ids = book.number()
  const shapes = shapeFinders(volatile, book)
  const known = volatile.paths ?? {}
  const knownPaths = pathFinders(known)
  return read.map(({ lines, pieces, cwd }) => {
    const paths = known.cwd || cwd === undefined ? knownPaths : pathFinders({ ...known, cwd: [cwd] })
    const replacer = new Replacer([...shapes, ...paths, ids.find])
    const rewriter: Rewriter = {
      value: (key, text) => {
        if (isClock(key, text)) return token('time')
        return ids.tokenOf(volatileKindInLog(key, text) ?? '', text)
      },
      text: (text) => replacer.replace(text),
    }
    const putPiece = rewriteStreams(pieces, replacer)
    // Read a second time: the tree of a whole log would take many times the memory of its text.
    const printed = lines.map((text, i) => {
      const line = readJson(text, strings)
      const tokenized = i === 0 && isHeader(line) ? tokenizeHeader(line, ids) : tokenizeEvent(line)
      return `${printJson(putPiece(rewriteJson(tokenized, rewriter), i))}\n`
    })
    return printed.join('')
  })
}

interface ReadLog {
  readonly lines: readonly string[]
  readonly pieces: readonly Piece[]
  readonly cwd: string | undefined
}

/** Reads a log for the first time: what in it gets a number, and what came in pieces. */
function readLog(text: string, log: number, strings: StringPool, book: IdBook): ReadLog {
  const lines = splitLines(text)
  const blocks = new BlockPieces()
  let cwd: string | undefined
  for (const [i, text] of lines.entries()) {
    const line = parseJson(text, strings, `session log ${log + 1}, line ${i + 1}`, 'A log is one JSON object a line')
    if (i === 0 && isHeader(line)) {
      cwd = textOf(line, 'cwd')
      seeSessions(line, book)
    }
    blocks.add(line, i)
    eachString(line, (text, key = '') => {
      book.reserve(text)
      const kind = volatileKindInLog(key, text)
      if (kind !== undefined) book.see(kind, text)
    })
  }
  return { lines, pieces: blocks.pieces, cwd }
}

function seeSessions(header: Json, book: IdBook): void {
  for (const key of SESSION_KEYS) {
    const id = textOf(header, key)
    if (id !== undefined && volatileKind('sessionId', id) !== undefined) book.see('sessionId', id)
  }
}

const SESSION_KEYS = ['id', 'parentSession']

function isHeader(line: Json): boolean {
  return textOf(line, 'type') === 'session'
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

function splitLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
