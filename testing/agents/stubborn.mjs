// Answers, but ignores EOF and every signal except SIGKILL. So does its child, which is in its process group and has an
// empty environment. `_meta.pids` holds the pids of both.
import { serve } from './lib/acp.mjs'
import { startBystander } from './lib/bystander.mjs'
import './lib/hold-out.mjs'

const child = startBystander({ stdio: 'ignore', env: {} })
serve({ meta: { pids: [process.pid, child.pid] } })
