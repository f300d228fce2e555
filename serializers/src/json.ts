import { depthProblem } from './depth.ts'

/**
 * A JSON text as a tree that prints back as it was, but for whitespace between its parts.
 * `JSON.parse` would move integer-like keys to the front, drop duplicate keys and round long numbers.
 */
export type Json = JsonObject | JsonArray | JsonString | JsonLiteral

export interface JsonObject {
  readonly kind: 'object'
  readonly entries: readonly JsonEntry[]
}

export interface JsonEntry {
  readonly key: JsonString
  readonly value: Json
}

interface JsonArray {
  readonly kind: 'array'
  readonly items: readonly Json[]
}

/** `raw` is the text with its quotes and escapes, `value` what it means. */
export interface JsonString {
  readonly kind: 'string'
  readonly value: string
  readonly raw: string
}

/** A number, `true`, `false` or `null`. */
export interface JsonLiteral {
  readonly kind: 'literal'
  readonly raw: string
}

/** The strings that were read before, by their raw text: in a transcript nearly every string comes many times. */
export type StringPool = Map<string, JsonString>

/**
 * @param strings shared by the texts that are read together
 * @param where begins the sentence of the error: `frame 2 of the transcript`
 * @param advice ends it, when the text is not exactly one JSON value
 * @throws Error when it is not, and when it is nested too deeply
 */
export function parseJson(text: string, strings: StringPool, where: string, advice: string): Json {
  const deep = depthProblem(text)
  if (deep !== undefined) throw new Error(`${where} is ${deep}: ${excerpt(text)}`)
  try {
    JSON.parse(text)
  } catch (error) {
    throw new Error(`${where} is not JSON: ${excerpt(text)} (${(error as Error).message}). ${advice}`)
  }
  return readJson(text, strings)
}

/** Reads a text without checks: it has been through {@link parseJson} before. */
export function readJson(text: string, strings: StringPool): Json {
  return readValue({ text, strings, at: 0 })
}

export function printJson(json: Json): string {
  if (json.kind !== 'object' && json.kind !== 'array') return json.raw
  let out = ''
  if (json.kind === 'array') {
    for (const item of json.items) out += (out && ',') + printJson(item)
    return `[${out}]`
  }
  for (const { key, value } of json.entries) out += `${out && ','}${key.raw}:${printJson(value)}`
  return `{${out}}`
}

export function jsonString(value: string): JsonString {
  return { kind: 'string', value, raw: JSON.stringify(value) }
}

export function jsonNumber(value: number): JsonLiteral {
  return { kind: 'literal', raw: String(value) }
}

export function isNumber(json: Json): json is JsonLiteral {
  return json.kind === 'literal' && /^[-\d]/.test(json.raw)
}

/** The value of a key; the last one, where JSON holds the key twice. */
export function valueAt(json: Json, key: string): Json | undefined {
  if (json.kind !== 'object') return undefined
  return json.entries.findLast((entry) => entry.key.value === key)?.value
}

/**
 * The text of a key's value in a JSON object, as it stands there: `1e3`, `"a\u0062"`. The last one, where the object
 * holds the key twice.
 *
 * @param text one valid JSON value
 */
export function rawValueAt(text: string, key: string): string | undefined {
  const cursor: Cursor = { text, strings: new Map(), at: 0 }
  if (peek(cursor) !== '{') return undefined
  let found: string | undefined
  cursor.at++
  for (let next = peek(cursor); next !== '}'; next = peek(cursor)) {
    if (next === ',') cursor.at++
    peek(cursor)
    const name = readString(cursor).value
    peek(cursor)
    cursor.at++
    peek(cursor)
    const start = cursor.at
    skipValue(cursor)
    if (name === key) found = text.slice(start, cursor.at)
  }
  return found
}

/** An object with the values of some keys replaced; `replace` answers `undefined` to keep one. Not an object: as it is. */
export function replaceValues(json: Json, replace: (key: string, value: Json) => Json | undefined): Json {
  if (json.kind !== 'object') return json
  const entries = mapShared(json.entries, (entry): JsonEntry => {
    const value = replace(entry.key.value, entry.value)
    return value && value !== entry.value ? { key: entry.key, value } : entry
  })
  return entries === json.entries ? json : { kind: 'object', entries }
}

/** `map`, that gives the list itself when no item changes: a large transcript is held once, and not once a rule. */
export function mapShared<T>(items: readonly T[], map: (item: T) => T): readonly T[] {
  let changed: T[] | undefined
  for (const [i, item] of items.entries()) {
    const mapped = map(item)
    if (!changed && mapped !== item) changed = items.slice(0, i)
    changed?.push(mapped)
  }
  return changed ?? items
}

interface Cursor {
  readonly text: string
  readonly strings: StringPool
  at: number
}

/** Reads without checks: the text has been through `JSON.parse`. */
function readValue(cursor: Cursor): Json {
  const first = peek(cursor)
  if (first === '"') return readString(cursor)
  if (first === '{') return { kind: 'object', entries: readList(cursor, '}', readEntry) }
  if (first === '[') return { kind: 'array', items: readList(cursor, ']', readValue) }
  return readLiteral(cursor)
}

function readList<T>(cursor: Cursor, close: string, read: (cursor: Cursor) => T): T[] {
  const items: T[] = []
  cursor.at++
  for (let next = peek(cursor); next !== close; next = peek(cursor)) {
    if (next === ',') cursor.at++
    items.push(read(cursor))
  }
  cursor.at++
  return items
}

function readEntry(cursor: Cursor): JsonEntry {
  peek(cursor)
  const key = readString(cursor)
  peek(cursor)
  cursor.at++
  return { key, value: readValue(cursor) }
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}

/** Moves behind a value of any depth, without a stack and without a copy. */
function skipValue(cursor: Cursor): void {
  let depth = 0
  do {
    const next = peek(cursor)
    if (next === '{' || next === '[') depth++
    if (next === '}' || next === ']') depth--
    if (next === '"') cursor.at = endOfString(cursor)
    else if (next !== undefined && '{}[],:'.includes(next)) cursor.at++
    else readLiteral(cursor)
  } while (depth > 0)
}

function endOfString({ text, at }: Cursor): number {
  let end = text.indexOf('"', at + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end + 1
}

function readString(cursor: Cursor): JsonString {
  const { text, at } = cursor
  cursor.at = endOfString(cursor)
  const raw = text.slice(at, cursor.at)
  const known = cursor.strings.get(raw)
  if (known) return known
  const value = raw.includes('\\') ? String(JSON.parse(raw)) : raw.slice(1, -1)
  const string: JsonString = { kind: 'string', raw, value }
  cursor.strings.set(raw, string)
  return string
}

/** Whether an odd number of backslashes stands before `at`. */
function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

const LITERAL = /[^\s,\]}]+/y

function readLiteral(cursor: Cursor): JsonLiteral {
  LITERAL.lastIndex = cursor.at
  const raw = LITERAL.exec(cursor.text)?.[0] ?? ''
  cursor.at += raw.length
  return { kind: 'literal', raw }
}

/** The next character that is no whitespace. */
function peek(cursor: Cursor): string | undefined {
  let next = cursor.text[cursor.at]
  while (next === ' ' || next === '\n' || next === '\r' || next === '\t') next = cursor.text[++cursor.at]
  return next
}
