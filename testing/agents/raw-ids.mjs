// Uses each line of a prompt as the raw id of a request to the client, and sends back the line of the response,
// unchanged.
import { createInterface } from 'node:readline'
import { send, serve } from './lib/acp.mjs'

/** @type {(line: string) => void} */
let answered = () => undefined
createInterface({ input: process.stdin }).on('line', (line) => {
  if (!('method' in JSON.parse(line))) answered(line)
})

serve({
  before: ({ id, method, params }) => {
    if (method !== 'session/prompt') return method === undefined
    void ask(params?.sessionId ?? '', params?.prompt?.[0]?.text.split('\n') ?? []).then(() =>
      send({ id, result: { stopReason: 'end_turn' } }),
    )
    return true
  },
})

/**
 * @param {string} sessionId
 * @param {string[]} ids
 */
async function ask(sessionId, ids) {
  for (const id of ids) {
    const answer = new Promise((resolve) => {
      answered = resolve
    })
    process.stdout.write(`{"jsonrpc":"2.0","id":${id},"method":"no/such_method"}\n`)
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: await answer } }
    send({ method: 'session/update', params: { sessionId, update } })
  }
}
