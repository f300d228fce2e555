import { IdBook, type NumberedIds, volatileKind, volatileKindInLog } from './ids.ts'
import { isNumber, type Json, jsonNumber, jsonString, printJson, replaceValues, valueAt } from './json.ts'
import { parseJson, readJson, type StringPool } from './json-reader.ts'
import { BlockPieces } from './log-streams.ts'
import { pathFinders } from './path-finders.ts'
import { Replacer } from './replacer.ts'
import { eachString, type Rewriter, rewriteJson } from './rewrite.ts'
import { isClock } from './rules/clocks.ts'
import { hideKnownPorts } from './rules/known-ports.ts'
import { shapeFinders } from './shape-finders.ts'
import { type Piece, rewriteStreams } from './streamed-text.ts'
import { token } from './tokens.ts'
import type { Volatile } from './volatile-values.ts'

/** The session logs of a run; the plugin prints them with volatile values as tokens. */
export interface LogSet {
  readonly kind: 'acp-session-logs'
  /** The raw text of each log, the primary one first. */
  readonly logs: readonly string[]
  readonly volatile: Volatile
}

/** Replaces a clock in a log. It is a number, so that the log can still be parsed. */
const CLOCK = jsonNumber(0)

/**
 * Normalises session logs. Clocks become 0. Tokens replace session ids (numbered over all logs), known paths, and the
 * system prompt and tools of each request header, which a golden of their own pins. Without a known `cwd`, each log's own
 * `cwd` is used. Normalising twice changes nothing.
 *
 * @param logs the raw text of each log, the primary one first
 * @returns the text of each log; every line ends in LF, also the last one
 * @throws Error that names the log and the line (counted from 1) which is not JSON, or is nested too deeply
 */
export function normalizeSessionLogs(logs: readonly string[], volatile: Volatile = {}): string[] {
  const strings: StringPool = new Map()
  const book = new IdBook()
  const read = logs.map((log, i) => readLog(log, i, strings, book))
  const ids = book.number()
  const shapes = shapeFinders(volatile, book)
  const hidePorts = hideKnownPorts(volatile.ports)
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
    // Read each line again: the tree of a whole log would need many times the memory of its text.
    const printed = lines.map((text, i) => {
      const line = hidePorts(readJson(text, strings))
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

/** Reads a log for the first time, to collect its ids and its streamed texts. */
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
