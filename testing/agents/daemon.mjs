// Starts a daemon that gives up all that ties it to this agent: group, session, parent, environment, directory and files.
import { spawnSync } from 'node:child_process'
import { serve } from './lib/acp.mjs'

spawnSync('sh', ['-c', '(cd / && exec setsid env -i sleep 604800 </dev/null >/dev/null 2>&1) &'])
serve()
