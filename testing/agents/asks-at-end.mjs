// Answers every request. Requests a permission after its stdin has ended.
import { send, serve } from './lib/acp.mjs'

serve()
process.stdin.on('end', () => send({ id: 'late', method: 'session/request_permission', params: { options: [] } }))
