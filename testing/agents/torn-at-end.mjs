// Answers every request, and writes half a message at EOF.
import { serve } from './lib/acp.mjs'

serve()
process.stdin.on('end', () => process.stdout.write('{"jsonrpc":"2.0","meth'))
