// Stores each session as one JSON file with an array of events; no other agent here uses this format. $EXTRA adds an
// event.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serve } from './lib/acp.mjs'

const { SESSIONS = '', EXTRA } = process.env

serve({
  before: ({ method, params: { sessionId = '', prompt } = {} }) => {
    if (method !== 'session/prompt') return
    const { events } = read(sessionId)
    const said = { at_ms: Date.now(), type: 'said', text: prompt?.[0]?.text, in: process.cwd(), session: sessionId }
    const more = EXTRA === undefined ? [] : [{ at_ms: Date.now(), type: 'extra', text: EXTRA }]
    const log = { id: sessionId, startedAt: Date.now(), events: [...events, said, ...more] }
    writeFileSync(fileOf(sessionId), JSON.stringify(log))
  },
})

/** @param {string} sessionId @returns {{ events: unknown[] }} */
function read(sessionId) {
  try {
    return JSON.parse(readFileSync(fileOf(sessionId), 'utf8'))
  } catch {
    return { events: [] }
  }
}

/** @param {string} sessionId */
function fileOf(sessionId) {
  return join(SESSIONS, `${sessionId}.json`)
}
