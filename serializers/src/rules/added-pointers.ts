import { type Json, jsonString, mapShared, printJson, replaceValues } from '../json.ts'
import type { AddedRule } from '../normalize-rules.ts'
import { isTokenOf, token } from '../tokens.ts'

/** An added rule with a JSON pointer. */
export interface AddedPointer {
  readonly name: string
  readonly token: string
  readonly segments: readonly string[]
  readonly numbered: boolean
}

export function toPointer({ name, token, at, number = false }: AddedRule): AddedPointer[] {
  return at === undefined ? [] : [{ name, token, segments: segmentsOf(at), numbered: number }]
}

/** The keys of a JSON pointer (RFC 6901), without its escapes; `*` and `**` stay. */
export function segmentsOf(pointer: string): string[] {
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** A JSON pointer of keys. */
export function pointerOf(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Keys at the top of a frame that the protocol needs. No rule replaces them. */
export const FRAME_KEYS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method'])

/** The same for an event of a log. */
export const EVENT_KEYS: ReadonlySet<string> = new Set(['type', 'seq', 'time'])

/**
 * Replaces every value at the pointers: strings, numbers, and whole objects.
 *
 * @param kept keys at the top that stay
 * @param tokenOf the token for a value of a numbered rule
 */
export function replaceAtPointers(
  json: Json,
  pointers: readonly AddedPointer[],
  kept: ReadonlySet<string>,
  tokenOf: (name: string, value: string) => string,
): Json {
  return pointers.reduce((json, pointer) => {
    const walk = walker(pointer, (value) =>
      value.kind === 'string' && isReplaced(value.value, pointers) ? value : replacementOf(value, pointer, tokenOf),
    )
    const start = withZeroLevels(pointer.segments, [0])
    if (json.kind !== 'object') return walk(json, start)
    return replaceValues(json, (key, value) =>
      kept.has(key) ? undefined : walk(value, nextOf(pointer.segments, start, key)),
    )
  }, json)
}

/** Whether a text is the token of such a rule: from an earlier rule, or from before. */
export function isReplaced(text: string, pointers: readonly AddedPointer[]): boolean {
  return pointers.some(({ token }) => isTokenOf(text, token))
}

function replacementOf(
  value: Json,
  { token: name, numbered }: AddedPointer,
  tokenOf: (name: string, value: string) => string,
): Json {
  if (!numbered) return jsonString(token(name))
  return jsonString(tokenOf(name, value.kind === 'string' ? value.value : printJson(value)))
}

/** The positions in the segments that a place has reached: several, because of `**`. */
type Reached = readonly number[]

function walker({ segments }: AddedPointer, replace: (value: Json) => Json) {
  const walk = (json: Json, reached: Reached): Json => {
    if (reached.length === 0) return json
    if (reached.includes(segments.length)) return replace(json)
    if (json.kind === 'object') return replaceValues(json, (key, value) => walk(value, nextOf(segments, reached, key)))
    if (json.kind !== 'array') return json
    const items = mapShared(json.items, (item, i) => walk(item, nextOf(segments, reached, String(i))))
    return items === json.items ? json : { kind: 'array', items }
  }
  return walk
}

function nextOf(segments: readonly string[], reached: Reached, key: string): Reached {
  const next = reached.flatMap((at) => {
    const segment = segments[at]
    if (segment === '**') return at
    return segment === '*' || segment === key ? at + 1 : []
  })
  return withZeroLevels(segments, next)
}

/** `**` may stand for no level at all. */
function withZeroLevels(segments: readonly string[], reached: Reached): Reached {
  const all = new Set(reached)
  for (const at of all) if (segments[at] === '**') all.add(at + 1)
  return [...all]
}
