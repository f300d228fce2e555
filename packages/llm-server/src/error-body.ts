/** The provider's words for each status. @see https://api-docs.deepseek.com/quick_start/error_codes */
const ERRORS: Readonly<Record<number, { message: string; type: string; code: string }>> = {
  400: { message: 'Invalid request body format', type: 'invalid_request_error', code: 'invalid_request_error' },
  401: {
    message: 'Authentication Fails, Your api key is invalid',
    type: 'authentication_error',
    code: 'invalid_request_error',
  },
  402: { message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' },
  422: { message: 'Invalid parameters', type: 'invalid_request_error', code: 'invalid_request_error' },
  429: { message: 'Rate limit reached', type: 'rate_limit_error', code: 'rate_limit_reached' },
  503: { message: 'The server is overloaded', type: 'service_unavailable_error', code: 'service_unavailable' },
}

const OTHER = { message: 'Server error', type: 'server_error', code: 'internal_server_error' }

/** The provider's error body for a status, with the given message or the provider's own. */
export function errorBody(status: number, message?: string): unknown {
  const error = ERRORS[status] ?? OTHER
  return { error: { message: message ?? error.message, type: error.type, param: null, code: error.code } }
}
