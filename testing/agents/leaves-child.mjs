// Answers, and ends at EOF, but leaves a child in its group that ignores every polite signal and has an empty environment.
// `_meta.pids` names the two.
import { serve } from './lib/acp.mjs'
import { startBystander } from './lib/bystander.mjs'

const child = startBystander({ stdio: 'ignore', env: {} })
serve({ meta: { pids: [process.pid, child.pid] } })
