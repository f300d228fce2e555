// Answers, and does not exit when its stdin ends. SIGTERM ends it: with the code in $TERM_CODE, or by the signal itself.
import { serve } from './lib/acp.mjs'

const { TERM_CODE } = process.env
if (TERM_CODE) process.on('SIGTERM', () => process.exit(Number(TERM_CODE)))
setInterval(() => {}, 60_000)
serve()
