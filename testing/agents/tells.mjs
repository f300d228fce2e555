// Reports its arguments, environment and working directory in the answer to initialize.
import { serve } from './lib/acp.mjs'

serve({ meta: { argv: process.argv.slice(2), env: process.env, cwd: process.cwd() } })
