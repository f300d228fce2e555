import {
  isNumber,
  type Json,
  type JsonEntry,
  type JsonLiteral,
  type JsonObject,
  type JsonString,
  jsonNumber,
  jsonString,
  mapShared,
} from './json.ts'
import type { RuleSet } from './rule-set.ts'
import { isClock } from './rules/clocks.ts'
import { isDuration } from './rules/durations.ts'

/** Says how to rewrite the strings of a JSON value. */
export interface Rewriter {
  /** Rewrites the whole value of a key; `undefined` leaves it to {@link Rewriter.text}. */
  value(key: string, text: string): string | undefined
  /** Rewrites any other string, and a key that is not a field name: the keys of a map may be paths or ids. */
  text(text: string): string
  /** Whether a number was measured, so that it becomes 0. */
  isMeasured(key: string, raw: string, place: Place): boolean
}

/** The position of a value: its key, and whether it is part of a tool's input, which the model wrote. */
export interface Place {
  readonly key: string
  readonly inInput: boolean
}

const TOP: Place = { key: '', inInput: false }
const INPUT = 'rawInput'

/**
 * Rewrites every string of a JSON value, and its measured numbers: clocks and durations become 0, so that they are still
 * numbers. Keeps the order of keys, and keeps different keys different.
 */
export function rewriteJson(json: Json, rewriter: Rewriter, place: Place = TOP): Json {
  if (json.kind === 'object') return rewriteObject(json, rewriter, place)
  if (json.kind === 'string') return changed(json, rewriter.text(json.value))
  if (json.kind !== 'array') return json
  const items = mapShared(json.items, (item) => rewriteJson(item, rewriter, place))
  return items === json.items ? json : { kind: 'array', items }
}

/** Visits every string of a JSON value, in order. `key` is absent for keys themselves and for items of arrays. */
export function eachString(json: Json, visit: (text: string, key?: string) => void): void {
  if (json.kind === 'string') visit(json.value)
  if (json.kind === 'array') for (const item of json.items) eachString(item, visit)
  if (json.kind !== 'object') return
  for (const { key, value } of json.entries) {
    visit(key.value)
    if (value.kind === 'string') visit(value.value, key.value)
    else eachString(value, visit)
  }
}

/** A key of letters only is a field name, even if an agent uses the same word as a session id. */
const FIELD = /^[A-Za-z]+$/

function rewriteObject(object: JsonObject, rewriter: Rewriter, place: Place): Json {
  let sameKeys = true
  const entries = mapShared(object.entries, (entry): JsonEntry => {
    const key = FIELD.test(entry.key.value) ? entry.key : changed(entry.key, rewriteKey(entry.key.value, rewriter))
    const value = rewriteValue(entry, rewriter, place)
    sameKeys &&= key === entry.key
    return key === entry.key && value === entry.value ? entry : { key, value }
  })
  if (entries === object.entries) return object
  return { kind: 'object', entries: sameKeys ? entries : keepApart(object.entries, entries) }
}

/** The number that {@link keepApart} added to a key stays. */
function rewriteKey(key: string, rewriter: Rewriter): string {
  const number = key.includes('{{') ? (ADDED_NUMBER.exec(key)?.[0] ?? '') : ''
  return rewriter.text(key.slice(0, key.length - number.length)) + number
}

const ADDED_NUMBER = / \(\d+\)$/

function rewriteValue({ key: { value: key }, value }: JsonEntry, rewriter: Rewriter, place: Place): Json {
  if (value.kind === 'string') return changed(value, rewriter.value(key, value.value) ?? rewriter.text(value.value))
  if (value.kind === 'literal') return isNumber(value) ? rewriteNumber(key, value, rewriter, place) : value
  return rewriteJson(value, rewriter, { key, inInput: place.inInput || key === INPUT })
}

const ZERO = jsonNumber(0)

function rewriteNumber(key: string, number: JsonLiteral, rewriter: Rewriter, place: Place): Json {
  return number.raw !== ZERO.raw && rewriter.isMeasured(key, number.raw, place) ? ZERO : number
}

/** The rules for numbers. The model chose a duration in a tool's input, so it stays. */
export function measuredBy({ isOn }: RuleSet): Rewriter['isMeasured'] {
  const [clocks, durations] = [isOn('clocks'), isOn('durations')]
  return (key, raw, place) =>
    (clocks && isClock(key, raw)) || (durations && !place.inInput && isDuration(key, place.key))
}

/** Adds a number to keys that would become equal: `{{cwd}}`, `{{cwd}} (2)`. */
function keepApart(before: readonly JsonEntry[], after: readonly JsonEntry[]): JsonEntry[] {
  const same = ({ key }: JsonEntry, i: number) => key === before[i]?.key
  const used = new Set(after.filter(same).map(({ key }) => key.value))
  return after.map((entry, i) => {
    if (same(entry, i)) return entry
    let unused = entry.key.value
    for (let n = 2; used.has(unused); n++) unused = `${entry.key.value} (${n})`
    used.add(unused)
    return { key: jsonString(unused), value: entry.value }
  })
}

function changed(json: JsonString, text: string): JsonString {
  return text === json.value ? json : jsonString(text)
}
