/** The paths of a run, by placeholder name: `cwd` for `{{cwd}}`. */
export type Places = Record<string, string>

/** Replaces each placeholder in a value's strings with its path. Unknown placeholders stay. */
export function fillPlaces<T>(value: T, places: Places): T {
  return mapStrings(value, (text) => text.replace(/\{\{(\w+)\}\}/g, (token, name: string) => places[name] ?? token))
}

/** Maps every string of a JSON value, except keys. */
export function mapStrings<T>(value: T, map: (text: string) => string): T {
  return mapValue(value, map) as T
}

function mapValue(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item) => mapValue(item, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapValue(item, map)]))
}
