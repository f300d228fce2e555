import { FileRefusedError } from '../io/regular-file.ts'
import type { Response } from './message.ts'
import { InvalidParamsError } from './params.ts'

/** ACP's error codes (schema of v1, `ErrorCode`). */
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602
const INTERNAL_ERROR = -32603
const NOT_FOUND = -32002

export function methodNotFound(method: string): Response {
  return failed(METHOD_NOT_FOUND, `Method not found: ${method}`)
}

/** The response to a request whose method threw. */
export function errorResponse(error: unknown): Response {
  if (error instanceof InvalidParamsError || error instanceof FileRefusedError) {
    return failed(INVALID_PARAMS, `Invalid params: ${error.message}`)
  }
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
