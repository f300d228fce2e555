import { isNumber, type Json, jsonNumber, replaceValues, valueAt } from './json.ts'

/** Who made an id up: a request's id is its sender's, and a response carries the id of the other side. */
type Direction = 'client' | 'agent'

export type RpcId = string | number

/**
 * Numbers the JSON-RPC ids of what an agent wrote, by first sight, in a sequence for each direction.
 *
 * @param requestIds the ids that the client sent, in the order sent; they are seen first
 * @param normalized whether the transcript is known to be normalised already, in part at least: a positive whole
 *   number then is a number given before, and stays
 */
export function numberRpcIds(frames: readonly Json[], requestIds: readonly RpcId[], normalized: boolean): Json[] {
  const sent = requestIds.map(keyOf)
  const seen: Record<Direction, IdKey[]> = { client: [], agent: [] }
  for (const frame of frames) mapRpcIds(frame, (id, direction) => void seen[direction].push(id))
  const agent = sequence(seen.agent, normalized)
  const client =
    normalized || areNumbered(seen.client, sent)
      ? sequence(seen.client, true)
      : sequence([...sent, ...seen.client], false)
  return frames.map((frame) => mapRpcIds(frame, (id, direction) => (direction === 'agent' ? agent : client).get(id)))
}

/** What tells ids apart: a string is what it means, a number is its digits, since it may be too long for a double. */
type IdKey = string

function keyOf(id: RpcId): IdKey {
  return JSON.stringify(id)
}

function sequence(ids: readonly IdKey[], keepNumbers: boolean): Map<IdKey, number> {
  const numbers = new Map<IdKey, number>()
  const taken = new Set<number>()
  for (const id of ids) {
    if (!keepNumbers || !isOrdinal(id)) continue
    numbers.set(id, Number(id))
    taken.add(Number(id))
  }
  let n = 0
  for (const id of ids) {
    if (numbers.has(id)) continue
    do n++
    while (taken.has(n))
    numbers.set(id, n)
  }
  return numbers
}

/**
 * Whether response ids can only be numbers that were given before. They are, when one of them was never sent although
 * all lie within the count of requests; or, where the requests are not known, when they are 1 to n in another order.
 */
function areNumbered(ids: readonly IdKey[], requestIds: readonly IdKey[]): boolean {
  const different = new Set(ids)
  const count = requestIds.length || different.size
  const sent = new Set(requestIds)
  return [...different].every((id) => isOrdinal(id) && Number(id) <= count) && ids.some((id) => !sent.has(id))
}

/** Whether an id is a number as {@link numberRpcIds} gives it. */
function isOrdinal(id: IdKey): boolean {
  return /^[1-9]\d*$/.test(id) && Number.isSafeInteger(Number(id))
}

/** A frame with its ids replaced by what `number` says; `undefined` keeps one. `null` is no id, and stays. */
function mapRpcIds(frame: Json, number: (id: IdKey, direction: Direction) => number | undefined): Json {
  const method = valueAt(frame, 'method')
  const replace = (direction: Direction, value: Json): Json | undefined => {
    const id = idKeyOf(value)
    const n = id === undefined ? undefined : number(id, direction)
    return n === undefined ? undefined : jsonNumber(n)
  }
  const named = method?.kind === 'string' ? REQUEST_ID_IN_PARAMS.get(method.value) : undefined
  return replaceValues(frame, (key, value) => {
    if (key === 'id') return replace(method ? 'agent' : 'client', value)
    if (key !== 'params' || !named) return undefined
    return replaceValues(value, (key, value) => (key === 'requestId' ? replace(named, value) : undefined))
  })
}

/**
 * Methods whose params name another request by its id, and whose request that is: the agent takes back its own,
 * and asks the user something for the sake of the client's (ACP's schema, `ElicitationRequestScope`).
 */
export const REQUEST_ID_IN_PARAMS: ReadonlyMap<string, Direction> = new Map([
  ['$/cancel_request', 'agent'],
  ['elicitation/create', 'client'],
])

function idKeyOf(json: Json): IdKey | undefined {
  if (json.kind === 'string') return keyOf(json.value)
  return isNumber(json) ? json.raw : undefined
}
