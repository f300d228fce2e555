import { depthProblem } from './depth.ts'
import type { Json, JsonEntry, JsonLiteral, JsonString } from './json.ts'

/** Strings that were already read, by raw text: most strings of a transcript occur many times. */
export type StringPool = Map<string, JsonString>

/**
 * Reads a JSON text without losing the order of keys, duplicate keys, digits or escapes.
 *
 * @param strings shared by the texts that are read together
 * @param where the subject of the error message: `frame 2 of the transcript`
 * @param advice the end of the message, when the text is not exactly one JSON value
 * @throws Error when it is not one JSON value, or is nested too deeply
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

/** Reads a text without checks. {@link parseJson} must have accepted it before. */
export function readJson(text: string, strings: StringPool): Json {
  return readValue({ text, strings, at: 0 })
}

/**
 * The source text of a key's value in a JSON object, exactly as written: `1e3`, `"a\u0062"`. The last one, if the object
 * has the key twice; `undefined` if it does not have the key, or the text is not an object.
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

interface Cursor {
  readonly text: string
  readonly strings: StringPool
  at: number
}

/** Reads without checks: `JSON.parse` has accepted the text. */
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

/** Skips a value of any depth, without recursion and without a copy. */
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

/** Skips white space, and returns the next character. */
function peek(cursor: Cursor): string | undefined {
  let next = cursor.text[cursor.at]
  while (next === ' ' || next === '\n' || next === '\r' || next === '\t') next = cursor.text[++cursor.at]
  return next
}
