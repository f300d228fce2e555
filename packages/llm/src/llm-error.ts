/**
 * A model call that failed. `code` is one word for a program (`AUTH`, `RATE_LIMIT`, `ABORTED` …),
 * `status` the provider's HTTP status when there was one, `message` the provider's own words.
 * Exported as `@acp-snapshot/llm/error` too: the package's index imports cordis, which Jest cannot load.
 */
export class LlmError extends Error {
  override name = 'LlmError'
  readonly code: string
  readonly status: number | undefined

  constructor(code: string, message: string, options: { status?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.status = options.status
  }
}
