export const name = 'tries-again'
export const inject = ['llm']

/**
 * Repeats a model call in the same step after a stream was cut, as agents with retries do.
 * @param {import('cordis').Context} ctx
 */
export function apply(ctx) {
  ctx.on(
    'llm/stream',
    async function* (request, next) {
      try {
        yield* next()
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'INCOMPLETE')) throw error
        yield* ctx.llm.stream(request)
      }
    },
    { prepend: true },
  )
}
