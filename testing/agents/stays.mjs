// Answers, and does not exit when its stdin ends; SIGTERM ends it.
import { serve } from './lib/acp.mjs'

setInterval(() => {}, 60_000)
serve()
