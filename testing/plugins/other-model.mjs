export const name = 'other-model'
export const inject = ['llm']

/** @type {import('@acp-snapshot/session').StreamChunk} */
const STOP = { type: 'finish', reason: { kind: 'stop' } }

/**
 * A model that is not a replay: it answers any request.
 * @param {import('cordis').Context} ctx
 */
export function apply(ctx) {
  ctx.on('llm/stream', async function* () {
    yield STOP
  })
}
