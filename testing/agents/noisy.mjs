// Writes lines that are not messages to stdout: a banner, a blank line, and a log line before each answer.
import { serve } from './lib/acp.mjs'

console.log('noisy agent, version 1')
console.log()
serve({ before: ({ method }) => console.log(`got ${method}`) })
