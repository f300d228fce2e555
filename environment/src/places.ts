/** The values of a run's placeholders, by name: `cwd` for `{{cwd}}`, `port.2` for `{{port.2}}`. */
export type Places = Readonly<Record<string, string>>

const PLACEHOLDER = /\{\{([A-Za-z]\w*(?:\.[\w-]+)?)\}\}/g

/** Replaces each placeholder in a value's strings. Unknown placeholders stay. */
export function fillPlaces<T>(value: T, places: Places): T {
  return mapStrings(value, (text) =>
    text.replace(PLACEHOLDER, (placeholder, name: string) =>
      Object.hasOwn(places, name) ? (places[name] ?? placeholder) : placeholder,
    ),
  )
}

/** The names of the placeholders in a value's strings. */
export function placesIn(value: unknown): ReadonlySet<string> {
  const names = new Set<string>()
  mapStrings(value, (text) => {
    for (const [, name = ''] of text.matchAll(PLACEHOLDER)) names.add(name)
    return text
  })
  return names
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
