// Like leaves-child.mjs, but the child keeps this agent's stdout and stderr open.
import { serve } from './lib/acp.mjs'
import { startBystander } from './lib/bystander.mjs'

const child = startBystander({ stdio: ['ignore', 'inherit', 'inherit'] })
serve({ meta: { pids: [process.pid, child.pid] } })
