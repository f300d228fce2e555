// Tells, in the answer to initialize, what it was started with.
import { serve } from './lib/acp.mjs'

serve({ meta: { argv: process.argv.slice(2), env: process.env, cwd: process.cwd() } })
