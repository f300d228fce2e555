// Answers every request, writes a line to stderr at EOF, and exits with code 3.
import { serve } from './lib/acp.mjs'

serve()
process.stdin.on('end', () => {
  process.stderr.write('exits-3.mjs: goodbye\n')
  process.exitCode = 3
})
