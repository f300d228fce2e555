// Answers every request with a session id, and its params as `_meta`.
import { send, serve } from './lib/acp.mjs'

serve({
  before: ({ id, params }) => {
    send({ id, result: { sessionId: 's', _meta: params } })
    return true
  },
})
