import type { Response } from './message.ts'

/** ACP's error codes (schema of v1, `ErrorCode`). */
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602
const INTERNAL_ERROR = -32603
const NOT_FOUND = -32002

export function methodNotFound(method: string): Response {
  return failed(METHOD_NOT_FOUND, `Method not found: ${method}`)
}

export function invalidParams(problem: string): Response {
  return failed(INVALID_PARAMS, `Invalid params: ${problem}`)
}

export function internalError(error: unknown): Response {
  // Not `instanceof Error`: under Jest, an error of Node's own is of another realm.
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error
  return failed(INTERNAL_ERROR, `Internal error: ${hasMessage ? error.message : error}`)
}

export function resourceNotFound(resource: string): Response {
  return failed(NOT_FOUND, `Resource not found: ${resource}`)
}

function failed(code: number, message: string): Response {
  return { error: { code, message } }
}
