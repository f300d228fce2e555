// Answers, but ignores EOF and every polite signal, and so does its child, in its group, whose environment is empty.
// `_meta.pids` names the two.
import { serve } from './lib/acp.mjs'
import { startBystander } from './lib/bystander.mjs'
import './lib/hold-out.mjs'

const child = startBystander({ stdio: 'ignore', env: {} })
serve({ meta: { pids: [process.pid, child.pid] } })
