// Answers every request with a session id, and the params of the request as `_meta`.
import { send, serve } from './lib/acp.mjs'

serve({
  before: ({ id, params }) => {
    send({ id, result: { sessionId: 's', _meta: params } })
    return true
  },
})
