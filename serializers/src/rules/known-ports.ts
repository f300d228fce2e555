import type { IdBook } from '../ids.ts'
import { isNumber, type Json, jsonString, mapShared, replaceValues } from '../json.ts'
import type { Finder } from '../matches.ts'
import { token } from '../tokens.ts'
import { canBegin, isWordBoundary } from '../word-boundary.ts'

/**
 * The rule `ports` for the ports that the run gave to the agent: they become tokens wherever they stand as a whole number,
 * with or without a host before them. Their tokens are reserved in the book.
 *
 * @param ports in the order of their tokens: `{{port}}`, `{{port.2}}`
 */
export function knownPortFinder(ports: readonly number[], book: IdBook): Finder {
  const tokens = tokensOf(ports)
  for (const reserved of tokens.values()) book.reserve(reserved)
  if (tokens.size === 0) return () => undefined
  const pattern = new RegExp(`(?<!\\d[.])(?:${[...tokens.keys()].join('|')})(?![.]\\d)`, 'g')
  return (text) => (from) => {
    pattern.lastIndex = from
    for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
      const [port] = found
      const end = found.index + port.length
      if (!canBegin(text, found.index) || !isWordBoundary(text, end)) continue
      return { start: found.index, end, replacement: () => tokens.get(port) ?? port }
    }
    return undefined
  }
}

/** Hides the same ports where they are numbers: at a key that names a port (`port`, `serverPort`). */
export function hideKnownPorts(ports: readonly number[] = []): (json: Json) => Json {
  const tokens = tokensOf(ports)
  if (tokens.size === 0) return (json) => json
  const hide = (json: Json): Json => {
    if (json.kind === 'array') {
      const items = mapShared(json.items, hide)
      return items === json.items ? json : { kind: 'array', items }
    }
    return replaceValues(json, (key, value) => {
      if (!isNumber(value)) return hide(value)
      const known = PORT.test(key) ? tokens.get(value.raw) : undefined
      return known === undefined ? undefined : jsonString(known)
    })
  }
  return hide
}

const PORT = /port$/i

function tokensOf(ports: readonly number[]): ReadonlyMap<string, string> {
  return new Map(ports.map((port, i) => [String(port), token('port', i + 1)]))
}
