import { depthProblem, rawValueAt } from 'jest-serializer-acp'
import type { Frame } from '../child/index.ts'
import { inspect, StepError } from '../scenario-error.ts'

/** The result or the error of a response. */
export type Response = { result: unknown } | { error: { code: number; message: string; data?: unknown } }

/**
 * A JSON-RPC 2.0 message. `id` is its raw JSON text, including quotes: a number may have more digits than a double
 * can hold.
 */
export type Message =
  | { kind: 'request'; id: string; method: string; params: Record<string, unknown> }
  | { kind: 'notification'; method: string; params: Record<string, unknown> }
  | { kind: 'response'; id: string; response: Response }

/** Reads a frame as JSON-RPC 2.0 (sections 4 and 5). @throws StepError that says what is wrong */
export function readMessage({ text, value }: Frame): Message {
  const deep = depthProblem(text)
  if (deep !== undefined) throw new StepError('a message that can be read', `one that is ${deep}: ${inspect(text)}`)
  const fail = (expected: string) => new StepError(expected, inspect(value))
  const hasId = 'id' in value
  if (hasId && !isId(value.id)) throw fail('the "id" of a message to be a string, an integer or null')
  const id = rawValueAt(text, 'id') ?? 'null'
  if (!('method' in value)) {
    if (!hasId) throw fail('a request, a notification or a response: a message with a "method" or an "id"')
    return { kind: 'response', id, response: readResponse(value) }
  }
  const { method, params } = value
  if (typeof method !== 'string') throw fail('the "method" of a message to be a string')
  if ('result' in value || 'error' in value) {
    throw fail('a request or a response: a message with a "method" has no "result" and no "error"')
  }
  if ('params' in value && (typeof params !== 'object' || params === null)) {
    throw fail('the "params" of a message to be an object or an array, or to be left out')
  }
  const named = isRecord(params) ? params : {}
  return hasId ? { kind: 'request', id, method, params: named } : { kind: 'notification', method, params: named }
}

function readResponse(value: Record<string, unknown>): Response {
  const { id, result, error } = value
  const fail = (expected: string) => new StepError(expected, inspect(value))
  if ('result' in value === 'error' in value) {
    throw fail('a response with exactly one of "result" and "error" (JSON-RPC 2.0, section 5)')
  }
  if ('result' in value) return { result }
  if (!isRecord(error) || !Number.isInteger(error.code) || typeof error.message !== 'string') {
    throw fail('an "error" that is an object with an integer "code" and a string "message" (JSON-RPC 2.0, section 5.1)')
  }
  if (id === null) {
    throw fail(
      'a response with the id of its request: an error with "id": null says that the agent could not read a message',
    )
  }
  return { error: { code: Number(error.code), message: error.message, data: error.data } }
}

function isId(value: unknown): boolean {
  return value === null || typeof value === 'string' || Number.isInteger(value)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
