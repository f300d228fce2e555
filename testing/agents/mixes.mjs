// As soon as two sessions have one prompt each, answers both at once. A random number, seeded with $SEED, decides which
// session sends its next frame. Each turn contains one request to the client.
import { send, serve } from './lib/acp.mjs'

let seed = Number(process.env.SEED)
/** @type {{ id: unknown, sessionId: string }[]} */
const prompts = []

serve({
  before: ({ id, method, params }) => {
    if (method !== 'session/prompt') return method === undefined
    prompts.push({ id, sessionId: params?.sessionId ?? '' })
    if (prompts.length % 2 === 0) mix(prompts.slice(-2))
    return true
  },
})

/** @param {typeof prompts} both */
function mix(both) {
  const left = both.map(({ id, sessionId }) => [
    ...['a', 'b', 'c', 'd'].map((text) => ({
      method: 'session/update',
      params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
    })),
    { id: `ask-${sessionId}-${id}`, method: 'fs/read_text_file', params: { sessionId, path: '/none' } },
    { id, result: { stopReason: 'end_turn' } },
    {
      method: 'session/update',
      params: { sessionId, update: { sessionUpdate: 'available_commands_update', availableCommands: [] } },
    },
  ])
  while (left.some(({ length }) => length > 0)) {
    const next = left[draw(2)]?.shift()
    if (next) send(next)
  }
}

/** @param {number} n */
function draw(n) {
  seed = (seed * 1103515245 + 12345) % 2 ** 31
  return Math.floor(seed / 2 ** 16) % n
}
