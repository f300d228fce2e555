// Like grandchild-keeps-pipe.mjs, and the child has a session and a group of its own, where no signal to ours reaches it.
import { serve } from './lib/acp.mjs'
import { startBystander } from './lib/bystander.mjs'

const child = startBystander({ stdio: ['ignore', 'inherit', 'inherit'], detached: true })
serve({ meta: { pids: [process.pid, child.pid] } })
