// Leaves a process in a session of its own that still works in the run's directory, with an empty environment.
import { spawn } from 'node:child_process'
import { serve } from './lib/acp.mjs'

spawn('/bin/sleep', ['604801'], { detached: true, stdio: 'ignore', env: {} }).unref()
serve()
