export const name = 'tries-again'
export const inject = ['llm']

/**
 * Asks again, within the step, after a stream that was cut: as agents do that retry.
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
