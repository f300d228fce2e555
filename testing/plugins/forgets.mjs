export const name = 'forgets'
export const inject = ['llm']

/**
 * Removes the history from each model call, before any other plugin sees it.
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
