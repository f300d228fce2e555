// Like grandchild-keeps-pipe.mjs, but the child has its own session and process group, so a signal to our group does
// not reach it.
import { serve } from './lib/acp.mjs'
import { startBystander } from './lib/bystander.mjs'

const child = startBystander({ stdio: ['ignore', 'inherit', 'inherit'], detached: true })
serve({ meta: { pids: [process.pid, child.pid] } })
