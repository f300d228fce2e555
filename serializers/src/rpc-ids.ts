import { isNumber, type Json, jsonNumber, replaceValues, valueAt } from './json.ts'

/** Who chose an id: the sender of a request. A response carries the id that the other side chose. */
type Direction = 'client' | 'agent'

export type RpcId = string | number

/**
 * Numbers the JSON-RPC ids in an agent's frames in the order of their first occurrence, with a sequence per direction.
 *
 * @param requestIds the ids of the client's requests, in the order sent; they are numbered first
 * @param normalized whether the transcript, or a part of it, is known to be normalised: a positive integer is then a
 *   number from before, and stays
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

/** Identifies an id: a string by its value, a number by its digits, since it may be too long for a double. */
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
 * Whether the response ids must be numbers from before. They are, if one of them was never sent although all are within
 * the number of requests; or, if the requests are not known, if they are 1 to n in another order.
 */
function areNumbered(ids: readonly IdKey[], requestIds: readonly IdKey[]): boolean {
  const different = new Set(ids)
  const count = requestIds.length || different.size
  const sent = new Set(requestIds)
  return [...different].every((id) => isOrdinal(id) && Number(id) <= count) && ids.some((id) => !sent.has(id))
}

/** Whether an id is a number that {@link numberRpcIds} could have assigned. */
function isOrdinal(id: IdKey): boolean {
  return /^[1-9]\d*$/.test(id) && Number.isSafeInteger(Number(id))
}

/** A frame with its ids replaced by the results of `number`; `undefined` keeps an id. `null` is not an id, and stays. */
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
 * Methods whose params contain the id of another request, and who sent that request: an agent cancels its own request,
 * and asks the user a question as part of a client's request (ACP's schema, `ElicitationRequestScope`).
 */
export const REQUEST_ID_IN_PARAMS: ReadonlyMap<string, Direction> = new Map([
  ['$/cancel_request', 'agent'],
  ['elicitation/create', 'client'],
])

function idKeyOf(json: Json): IdKey | undefined {
  if (json.kind === 'string') return keyOf(json.value)
  return isNumber(json) ? json.raw : undefined
}
