import { LlmError } from '@acp-snapshot/llm/error'
import { readStart } from './response-text.ts'

/** How much of an error body is read: it may be an endless stream. */
const MAX_BODY_LENGTH = 64 * 1024
const EXCERPT_LENGTH = 500

/**
 * Explains a response with an HTTP error, in the provider's own words.
 *
 * @see https://api-docs.deepseek.com/quick_start/error_codes
 */
export async function toRefusal(response: Response): Promise<LlmError> {
  const { status } = response
  const text = await readStart(response, MAX_BODY_LENGTH)
  const message = providerMessage(text) ?? (text.slice(0, EXCERPT_LENGTH) || 'the provider gave no reason')
  return new LlmError(codeOf(status), message, { status })
}

/** The error that an event holds instead of a chunk, if it holds one. */
export function toEventError(event: unknown): LlmError | undefined {
  const error = field(event, 'error')
  return error ? new LlmError('SERVER', messageOf(error) ?? JSON.stringify(error)) : undefined
}

/** The innermost cause says what happened to the connection; its wrapper says only "fetch failed". */
export function rootCause(error: unknown): string {
  const cause = field(error, 'cause')
  if (cause !== undefined) return rootCause(cause)
  return String(field(error, 'message') || field(error, 'code') || error)
}

function codeOf(status: number): string {
  if (status === 401 || status === 403) return 'AUTH'
  if (status === 402) return 'BALANCE'
  if (status === 429) return 'RATE_LIMIT'
  return status >= 500 ? 'SERVER' : 'BAD_REQUEST'
}

/** The `error.message` of a JSON body. */
function providerMessage(body: string): string | undefined {
  try {
    return messageOf(field(JSON.parse(body), 'error'))
  } catch {
    return undefined
  }
}

function messageOf(error: unknown): string | undefined {
  const message = field(error, 'message')
  return typeof message === 'string' && message !== '' ? message : undefined
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
