// Answers, and exits at EOF, but leaves a child in its process group. The child ignores every signal except SIGKILL,
// and its environment is empty. `_meta.pids` holds the pids of both.
import { serve } from './lib/acp.mjs'
import { startBystander } from './lib/bystander.mjs'

const child = startBystander({ stdio: 'ignore', env: {} })
serve({ meta: { pids: [process.pid, child.pid] } })
