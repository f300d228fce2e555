export const name = 'odd-model'
export const inject = ['llm']

/** @typedef {import('@acp-snapshot/session').StreamChunk} Chunk */

/** @type {Chunk} */
const START = { type: 'block-start', index: 0, blockType: 'text' }
/** @type {Chunk} */
const SAYS = { type: 'text-delta', index: 0, text: 'Well,' }
/** @type {Chunk} */
const END = { type: 'block-end', index: 0, block: { type: 'text', text: 'Well,' } }
/** @type {Chunk} */
const STOP = { type: 'finish', reason: { kind: 'stop' } }

/**
 * Models that each break the contract of a stream in one way. The user's last message names the model.
 * @type {Record<string, () => AsyncIterable<Chunk>>}
 */
const MODELS = {
  async *answers() {
    yield* [START, SAYS, END, STOP]
  },
  async *throws() {
    yield* [START, SAYS]
    throw new TypeError('cannot read the answer')
  },
  'throws at once': () => {
    throw 'no error at all'
  },
  async *'never finishes'() {
    yield* [START, SAYS, END]
  },
  async *'goes on after the finish'() {
    yield* [START, SAYS, END, STOP, SAYS]
  },
  async *'is deaf'() {
    yield* [START, SAYS]
    await new Promise(() => {})
  },
  async *'is deaf and talks on'() {
    while (true) {
      yield* [START, SAYS, END]
      await new Promise(setImmediate)
    }
  },
}

/** @param {import('cordis').Context} ctx */
export function apply(ctx) {
  ctx.on('llm/stream', ({ messages }) => {
    const block = messages.at(-1)?.content[0]
    const model = block?.type === 'text' && MODELS[block.text]
    if (!model) throw new Error('no such model')
    return model()
  })
}
