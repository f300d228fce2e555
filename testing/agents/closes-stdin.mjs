// Answers the first request, then closes its stdin and keeps running. SIGTERM ends it.
import { closeSync } from 'node:fs'
import { send } from './lib/acp.mjs'

process.stdin.once('data', (line) => {
  const { id } = JSON.parse(String(line))
  process.stdin.destroy()
  closeSync(0)
  send({ id, result: { protocolVersion: 1 } })
})
setInterval(() => {}, 60_000)
