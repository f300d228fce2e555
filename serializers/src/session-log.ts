import { IdBook, type NumberedIds, volatileKind, volatileKindInLog } from './ids.ts'
import { isNumber, type Json, jsonNumber, jsonString, printJson, replaceValues, valueAt } from './json.ts'
import { parseJson, readJson, type StringPool } from './json-reader.ts'
import { BlockPieces } from './log-streams.ts'
import { Replacer } from './replacer.ts'
import { eachString, measuredBy, type Rewriter, rewriteJson } from './rewrite.ts'
import { type RuleSet, ruleSet } from './rule-set.ts'
import { EVENT_KEYS, replaceAtPointers } from './rules/added-pointers.ts'
import { isClock } from './rules/clocks.ts'
import { hideKnownPorts } from './rules/known-ports.ts'
import { hideTokenCounts } from './rules/token-counts.ts'
import { type Piece, rewriteStreams } from './streamed-text.ts'
import { textFinders, vocabularyRule } from './text-finders.ts'
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
  return readSessionLogs(logs, volatile).map(({ lines, rewrite }) => {
    // Read each line again: the tree of a whole log would need many times the memory of its text.
    const printed = lines.map((_, i) => `${printJson(rewrite(i))}\n`)
    return printed.join('')
  })
}

/** A session log that is read, to be rewritten line by line. */
export interface ReadSessionLog {
  /** The raw lines. */
  readonly lines: readonly string[]
  rewrite(line: number): Json
  readonly replacer: Replacer
}

/** Reads the logs of a run, and prepares every rule that applies to them. */
export function readSessionLogs(logs: readonly string[], volatile: Volatile): ReadSessionLog[] {
  const rules = ruleSet(volatile.rules)
  const strings: StringPool = new Map()
  const book = new IdBook()
  const placed = pointerRule(rules, book, logs)
  const read = logs.map((log, i) => readLog(log, i, { strings, book, placed, hasIds: rules.isOn('ids') }))
  const ids = book.number()
  const known = volatile.paths ?? {}
  const vocabulary = vocabularyRule(volatile, book, ids)
  const finders = textFinders(volatile, book, ids)
  const hidePorts = hideKnownPorts(rules.isOn('ports') ? volatile.ports : [])
  const [hasClocks, hasHeaders, hasCounts] = [
    rules.isOn('clocks'),
    rules.isOn('request-headers'),
    rules.isOn('token-counts'),
  ]
  return read.map(({ lines, pieces, cwd }) => {
    const ofRun = known.cwd || cwd === undefined
    const replacer = new Replacer(
      ofRun ? finders : textFinders({ ...volatile, paths: { ...known, cwd: [cwd] } }, book, ids),
    )
    const rewriter: Rewriter = {
      value: (key, text) => {
        if (hasClocks && isClock(key, text)) return token('time')
        return ids.tokenOf(volatileKindInLog(key, text) ?? '', text) ?? vocabulary?.(key, text)
      },
      text: (text) => replacer.replace(text),
      isMeasured: measuredBy(rules),
    }
    const rewriteEvent = (json: Json) => rewriteJson(json, rewriter)
    const rewriteLine = rewriteStreams(pieces, replacer)
    const rewrite = (i: number) => {
      const line = readJson(lines[i] ?? '', strings)
      const tokenized =
        i === 0 && isHeader(line)
          ? tokenizeHeader(line, ids, hasClocks)
          : tokenizeEvent(placed(line), { hasClocks, hasHeaders })
      const hidden = hidePorts(hasCounts ? hideTokenCounts(tokenized) : tokenized)
      return rewriteLine(hidden, i, rewriteEvent)
    }
    return { lines, rewrite, replacer }
  })
}

/** Replaces the values at the added pointers of an event, before any other rule. */
function pointerRule({ pointers }: RuleSet, book: IdBook, logs: readonly string[]): (event: Json) => Json {
  if (pointers.length === 0) return (event) => event
  for (const log of logs) book.reserve(log)
  return (event) => replaceAtPointers(event, pointers, EVENT_KEYS, (name, value) => book.numberInUse(name)(value))
}

interface ReadLog {
  readonly lines: readonly string[]
  readonly pieces: readonly Piece[]
  readonly cwd: string | undefined
}

/** Reads a log for the first time, to collect its ids and its streamed texts. */
function readLog(
  text: string,
  log: number,
  {
    strings,
    book,
    placed,
    hasIds,
  }: { strings: StringPool; book: IdBook; placed: (event: Json) => Json; hasIds: boolean },
): ReadLog {
  const lines = splitLines(text)
  const blocks = new BlockPieces()
  let cwd: string | undefined
  for (const [i, text] of lines.entries()) {
    const raw = parseJson(text, strings, `session log ${log + 1}, line ${i + 1}`, 'A log is one JSON object a line')
    const isFirst = i === 0 && isHeader(raw)
    if (isFirst) {
      cwd = textOf(raw, 'cwd')
      if (hasIds) seeSessions(raw, book)
    }
    const line = isFirst ? raw : placed(raw)
    blocks.add(line, i)
    eachString(line, (text, key = '') => {
      book.reserve(text)
      const kind = hasIds ? volatileKindInLog(key, text) : undefined
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

function tokenizeHeader(header: Json, ids: NumberedIds, hasClocks: boolean): Json {
  return replaceValues(header, (key, value) => {
    if (hasClocks && key === 'createdAt' && isNumber(value)) return CLOCK
    if (!SESSION_KEYS.includes(key) || value.kind !== 'string') return undefined
    const known = ids.tokenOf('sessionId', value.value)
    return known === undefined ? undefined : jsonString(known)
  })
}

function tokenizeEvent(event: Json, { hasClocks, hasHeaders }: { hasClocks: boolean; hasHeaders: boolean }): Json {
  const isRequest = hasHeaders && textOf(event, 'type') === 'request/header'
  return replaceValues(event, (key, value) => {
    if (hasClocks && key === 'time' && isNumber(value)) return CLOCK
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
