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
import { isClock } from './rules/clocks.ts'
import { isDuration } from './rules/durations.ts'

/** What becomes of the strings of a JSON value. */
export interface Rewriter {
  /** The whole value of a key; `undefined` when the key is nothing special, and {@link Rewriter.text} has it. */
  value(key: string, text: string): string | undefined
  /** Any other string, and a key that names no field: a map may be keyed by paths, or by ids. */
  text(text: string): string
}

/** Where a value stands: at which key, and whether in what a model made for a tool. */
interface Place {
  readonly key: string
  readonly inInput: boolean
}

const TOP: Place = { key: '', inInput: false }
const INPUT = 'rawInput'

/**
 * Rewrites every string of a JSON value, and its measured numbers: clocks and durations become 0, which a reader of the
 * value can still take for a number. The order of keys stays, and no two keys become one.
 */
export function rewriteJson(json: Json, rewriter: Rewriter, place: Place = TOP): Json {
  if (json.kind === 'object') return rewriteObject(json, rewriter, place)
  if (json.kind === 'string') return changed(json, rewriter.text(json.value))
  if (json.kind !== 'array') return json
  const items = mapShared(json.items, (item) => rewriteJson(item, rewriter, place))
  return items === json.items ? json : { kind: 'array', items }
}

/** Shows every string of a JSON value, in order; `key` is absent for keys themselves and for items of a list. */
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

/** A key of letters alone names a field, even when an agent calls a session by the same word. */
const FIELD = /^[A-Za-z]+$/

function rewriteObject(object: JsonObject, rewriter: Rewriter, place: Place): Json {
  let sameKeys = true
  const entries = mapShared(object.entries, (entry): JsonEntry => {
    const key = FIELD.test(entry.key.value) ? entry.key : changed(entry.key, rewriter.text(entry.key.value))
    const value = rewriteValue(entry, rewriter, place)
    sameKeys &&= key === entry.key
    return key === entry.key && value === entry.value ? entry : { key, value }
  })
  if (entries === object.entries) return object
  return { kind: 'object', entries: sameKeys ? entries : keepApart(object.entries, entries) }
}

function rewriteValue({ key: { value: key }, value }: JsonEntry, rewriter: Rewriter, place: Place): Json {
  if (value.kind === 'string') return changed(value, rewriter.value(key, value.value) ?? rewriter.text(value.value))
  if (value.kind === 'literal') return isNumber(value) ? rewriteNumber(key, value, place) : value
  return rewriteJson(value, rewriter, { key, inInput: place.inInput || key === INPUT })
}

const ZERO = jsonNumber(0)

/** A duration in the input of a tool is what the model asked for, and stays. */
function rewriteNumber(key: string, number: JsonLiteral, place: Place): Json {
  if (number.raw === ZERO.raw) return number
  const measured = isClock(key, number.raw) || (!place.inInput && isDuration(key, place.key))
  return measured ? ZERO : number
}

/** Keys that would become one get a number behind them: `{{cwd}}`, `{{cwd}} (2)`. */
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
