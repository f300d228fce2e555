import type { Random } from './random.ts'

/** The position of a value in a JSON value. */
type Place = { holder: Record<string, unknown>; key: string; value: unknown }

/** Changes one value of a JSON text, or of one line of a JSONL text. Returns `undefined` when there is none to change. */
export function changeValue(
  text: string,
  { lines, from = 0, only = () => true }: { lines: boolean; from?: number; only?: (place: Place) => boolean },
  random: Random,
  change: (place: Place) => void,
): string | undefined {
  const all = lines ? text.split('\n').slice(0, -1) : [text]
  const candidates = all.flatMap((line, i) => {
    const value: unknown = JSON.parse(line)
    return i < from
      ? []
      : placesOf(value)
          .filter(only)
          .map((place) => ({ i, value, place }))
  })
  if (candidates.length === 0) return undefined
  const { i, value, place } = random.pick(candidates)
  change(place)
  all[i] = JSON.stringify(value)
  return `${all.join('\n')}${lines ? '\n' : ''}`
}

/** Every key of every object, at any depth. */
function placesOf(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((key) => [{ holder, key, value: holder[key] }, ...placesOf(holder[key])])
}
