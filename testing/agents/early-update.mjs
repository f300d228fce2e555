// Sends an update of a session before the response that contains the session id.
import { send, serve } from './lib/acp.mjs'

serve({
  before: ({ method }) => {
    const update = { sessionUpdate: 'available_commands_update', availableCommands: [] }
    if (method === 'session/new') send({ method: 'session/update', params: { sessionId: 'session-1', update } })
  },
})
