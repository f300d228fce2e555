export const name = 'undying'

/** @param {import('cordis').Context} ctx */
export function apply(ctx) {
  ctx.effect(() => () => new Promise(() => {}))
}
