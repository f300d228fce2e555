export const name = 'forgets'
export const inject = ['llm']

/**
 * Takes the history out of each call, before all else sees it.
 * @param {import('cordis').Context} ctx
 */
export function apply(ctx) {
  ctx.on(
    'llm/stream',
    (request, next) => {
      request.messages = []
      return next()
    },
    { prepend: true },
  )
}
