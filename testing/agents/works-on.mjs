// Leaves a process in its own session that still has the run's directory as its working directory. Its environment is
// empty.
import { spawn } from 'node:child_process'
import { serve } from './lib/acp.mjs'

spawn('/bin/sleep', ['604801'], { detached: true, stdio: 'ignore', env: {} }).unref()
serve()
