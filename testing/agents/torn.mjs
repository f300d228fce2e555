// Answers initialize, then writes only half of the next answer, without a newline, and exits with code 0.
import { serve } from './lib/acp.mjs'

serve({
  before: ({ method, id }) => {
    if (method === 'initialize') return false
    process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"res`, () => process.exit(0))
    return true
  },
})
