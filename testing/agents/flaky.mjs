// Answers differently on each start: it sends the number of starts, which it counts in the file $BOOTED.
import { appendFileSync, readFileSync } from 'node:fs'
import { send, serve } from './lib/acp.mjs'

const { BOOTED = '' } = process.env
appendFileSync(BOOTED, 'booted\n')
const boots = readFileSync(BOOTED, 'utf8').trimEnd().split('\n').length

serve({
  before: ({ id, method, params }) => {
    if (method !== 'session/prompt') return false
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `start ${boots}` } }
    send({ method: 'session/update', params: { sessionId: params?.sessionId, update } })
    send({ id, result: { stopReason: 'end_turn' } })
    return true
  },
})
