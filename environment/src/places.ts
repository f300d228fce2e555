/** Paths of a run, by the name that a placeholder gives: `cwd` for `{{cwd}}`. */
export type Places = Record<string, string>

/** A value in whose strings each placeholder is the path that it names. Placeholders of other names stay. */
export function fillPlaces<T>(value: T, places: Places): T {
  return mapStrings(value, (text) => text.replace(/\{\{(\w+)\}\}/g, (token, name: string) => places[name] ?? token))
}

/** A JSON value with each of its strings, keys aside, replaced. */
export function mapStrings<T>(value: T, map: (text: string) => string): T {
  return mapValue(value, map) as T
}

function mapValue(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item) => mapValue(item, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapValue(item, map)]))
}
