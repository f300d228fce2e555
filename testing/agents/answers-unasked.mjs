// Answers session/new with an id that no request has.
import { send, serve } from './lib/acp.mjs'

serve({
  before: ({ method }) => {
    if (method !== 'session/new') return false
    send({ id: 999, result: { sessionId: 'session-1' } })
    return true
  },
})
