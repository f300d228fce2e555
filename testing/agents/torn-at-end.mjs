// Answers everything, and at EOF writes half a message.
import { serve } from './lib/acp.mjs'

serve()
process.stdin.on('end', () => process.stdout.write('{"jsonrpc":"2.0","meth'))
