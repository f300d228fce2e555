/**
 * A JSON text as a tree that prints the same text again, except for white space.
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

/** `raw` is the text with its quotes and escapes, `value` the string that it represents. */
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

/** The value of a key; the last one, if the object has the key twice. */
export function valueAt(json: Json, key: string): Json | undefined {
  if (json.kind !== 'object') return undefined
  return json.entries.findLast((entry) => entry.key.value === key)?.value
}

/** An object with some values replaced; `replace` returns `undefined` to keep one. Other values are returned unchanged. */
export function replaceValues(json: Json, replace: (key: string, value: Json) => Json | undefined): Json {
  if (json.kind !== 'object') return json
  const entries = mapShared(json.entries, (entry): JsonEntry => {
    const value = replace(entry.key.value, entry.value)
    return value && value !== entry.value ? { key: entry.key, value } : entry
  })
  return entries === json.entries ? json : { kind: 'object', entries }
}

/** Like `map`, but returns the same list when no item changes, so that rules do not copy a large transcript. */
export function mapShared<T>(items: readonly T[], map: (item: T, index: number) => T): readonly T[] {
  let changed: T[] | undefined
  for (const [i, item] of items.entries()) {
    const mapped = map(item, i)
    if (!changed && mapped !== item) changed = items.slice(0, i)
    changed?.push(mapped)
  }
  return changed ?? items
}
