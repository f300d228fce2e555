// Not from '@acp-snapshot/llm': its index imports cordis, which Jest cannot load.
import { LlmError } from '@acp-snapshot/llm/error'

export { LlmError }

const MAX_MESSAGE_LENGTH = 500

/** Explains what the client threw before the answer began: a refusal by HTTP status, or no answer at all. */
export function requestError(error: unknown, baseURL: string): LlmError {
  const status = field(error, 'status')
  if (typeof status !== 'number') return new LlmError('NETWORK', `no answer from ${baseURL}: ${rootCause(error)}`)
  return new LlmError(codeOf(status), providerMessage(error) ?? clientMessage(error, status), { status })
}

/** Explains what the client threw while the answer came. */
export function streamError(error: unknown): LlmError {
  if (error instanceof LlmError) return error
  const message = providerMessage(error)
  if (message !== undefined) return new LlmError('SERVER', message)
  if (field(error, 'name') === 'SyntaxError') {
    return new LlmError('BAD_STREAM', 'an event of the stream is not JSON')
  }
  return new LlmError('INCOMPLETE', `the stream was cut before it finished: ${rootCause(error)}`)
}

/** @see https://api-docs.deepseek.com/quick_start/error_codes */
function codeOf(status: number): string {
  if (status === 401 || status === 403) return 'AUTH'
  if (status === 402) return 'BALANCE'
  if (status === 429) return 'RATE_LIMIT'
  return status >= 500 ? 'SERVER' : 'BAD_REQUEST'
}

/** The `error.message` of the provider's error body. */
function providerMessage(error: unknown): string | undefined {
  const message = field(field(error, 'error'), 'message')
  return typeof message === 'string' && message !== '' ? message : undefined
}

/** The client puts the status before the text of a body that is no error body; we have the status apart. */
function clientMessage(error: unknown, status: number): string {
  const text = String(field(error, 'message')).slice(0, MAX_MESSAGE_LENGTH)
  return text.startsWith(`${status} `) ? text.slice(`${status} `.length) : text
}

/** The innermost cause says what happened to the connection; what wraps it says only "fetch failed". */
function rootCause(error: unknown): string {
  const cause = field(error, 'cause')
  if (cause !== undefined) return rootCause(cause)
  return String(field(error, 'message') || field(error, 'code') || error)
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
