// Exits with code 3 at the first request, without an answer, and prints the reason to stderr.
import { serve } from './lib/acp.mjs'

serve({
  before: () => {
    process.stderr.write('dies.mjs: out of luck\n')
    process.exit(3)
  },
})
