// Refuses every session until the user signs in, as ACP says: error -32000, and the ways to sign in.
import { send, serve } from './lib/acp.mjs'

serve({
  before: ({ id, method }) => {
    if (method === 'initialize') {
      const authMethods = [{ id: 'login', name: 'Sign in' }]
      send({ id, result: { protocolVersion: 1, agentInfo: { name: 'refuses', version: '1.2.3' }, authMethods } })
      return true
    }
    if (method !== 'session/new') return false
    send({ id, error: { code: -32000, message: 'Authentication required' } })
    return true
  },
})
