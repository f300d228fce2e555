// Starts a daemon that is detached from this agent: it has its own process group, session and parent, an empty
// environment, another working directory, and no inherited files.
import { spawnSync } from 'node:child_process'
import { serve } from './lib/acp.mjs'

spawnSync('sh', ['-c', '(cd / && exec setsid env -i sleep 604800 </dev/null >/dev/null 2>&1) &'])
serve()
