import { type Json, type JsonEntry, type JsonObject, type JsonString, jsonString } from './json.ts'

/** What becomes of the strings of a JSON value. */
export interface Rewriter {
  /** The whole value of a key; `undefined` when the key is nothing special, and {@link Rewriter.text} has it. */
  value(key: string, text: string): string | undefined
  /** Any other string, and a key that names no field: a map may be keyed by paths, or by ids. */
  text(text: string): string
}

/** Rewrites every string of a JSON value. The order of keys stays, and no two keys become one. */
export function rewriteJson(json: Json, rewriter: Rewriter): Json {
  if (json.kind === 'object') return rewriteObject(json, rewriter)
  if (json.kind === 'array') return { kind: 'array', items: json.items.map((item) => rewriteJson(item, rewriter)) }
  return json.kind === 'string' ? changed(json, rewriter.text(json.value)) : json
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

function rewriteObject(object: JsonObject, rewriter: Rewriter): Json {
  const entries = object.entries.map(
    ({ key, value }): JsonEntry => ({
      key: FIELD.test(key.value) ? key : changed(key, rewriter.text(key.value)),
      value: rewriteValue(key, value, rewriter),
    }),
  )
  const sameKeys = entries.every(({ key }, i) => key === object.entries[i]?.key)
  return { kind: 'object', entries: sameKeys ? entries : keepApart(object.entries, entries) }
}

function rewriteValue(key: JsonString, value: Json, rewriter: Rewriter): Json {
  if (value.kind !== 'string') return rewriteJson(value, rewriter)
  return changed(value, rewriter.value(key.value, value.value) ?? rewriter.text(value.value))
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
