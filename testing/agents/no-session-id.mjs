// Answers session/new with an empty result.
import { send, serve } from './lib/acp.mjs'

serve({
  before: ({ id, method }) => {
    if (method !== 'session/new') return false
    send({ id, result: {} })
    return true
  },
})
