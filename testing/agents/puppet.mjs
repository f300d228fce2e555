// Does what prompts say, one order a line: a verb, and what follows it. In what follows, $UUID is a fresh one, and
// $DEEP an array nested 100,000 deep.
//   say <text>               an update of the session
//   tell <sessionId> <text>  an update of another session
//   call <method> <params>   a request to the client; its whole response is said
//   begin <method> <params>  the same, not waited for
//   join                     waits for the last one that was begun; its whole response is said
//   wait                     until session/cancel; then the turn ends cancelled
//   update <json>            an update of the session, as it is
//   raw <line>               a line on stdout, as it is; $ID in it is the prompt's id
//   late <ms> <text>         says this some time later, also after the turn's end
//   last <text>              says this right after the turn's end
//   forever                  goes on saying something, also after the turn's end
//   shell <command>          runs it in the agent's directory
//   append <file> <text>     to a file; $NAME at its beginning is a variable
//   link <target> <file>     a symbolic link; the same
//   error <text>             to stderr
//   reject <code>            answers the prompt with this error
// Each session has a log under $SESSIONS, if that is set; its header is all there is of it, unless it is told to append.
// $VERSION, if it is set, is what it says of its version. $BOOTED, if it is set, is a file that gets a line at each start.
import { execSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { send, serve } from './lib/acp.mjs'

const { BOOTED, SESSIONS, VERSION } = process.env
const DEEP = '['.repeat(100_000) + ']'.repeat(100_000)
const cwd = process.cwd()
let requests = 0
/** @type {Promise<unknown> | undefined} */
let begun
if (BOOTED) appendFileSync(BOOTED, 'booted\n')
/** @type {Map<unknown, (response: unknown) => void>} */
const waiting = new Map()
/** @type {() => void} */
let cancel = () => undefined

serve({
  before: (message) => {
    const { id, method, params } = message
    if (method === undefined) waiting.get(id)?.(message)
    else if (method === 'initialize' && VERSION) {
      send({ id, result: { protocolVersion: 1, agentInfo: { name: 'puppet', version: VERSION } } })
    } else if (method === 'session/cancel') cancel()
    else if (method === 'session/prompt') obey(id, params?.sessionId ?? '', params?.prompt?.[0]?.text ?? '')
    else if (method === 'session/load') send({ id, result: existsSync(logFile(params?.sessionId ?? '')) ? {} : null })
    else if (method === 'session/new' && SESSIONS) createSession(id)
    else return false
    return true
  },
})

/** @param {unknown} id */
function createSession(id) {
  let n = 1
  while (existsSync(logFile(`session-${n}`))) n++
  const header = { type: 'session', version: 0, id: `session-${n}`, createdAt: n, cwd }
  mkdirSync(dirname(logFile(header.id)), { recursive: true })
  writeFileSync(logFile(header.id), `${JSON.stringify(header)}\n`)
  send({ id, result: { sessionId: header.id } })
}

/** @param {string} sessionId */
function logFile(sessionId) {
  return join(SESSIONS ?? '', 'logs', `${sessionId}.jsonl`)
}

/**
 * @param {unknown} id
 * @param {string} sessionId
 * @param {string} orders
 */
async function obey(id, sessionId, orders) {
  let stopReason = 'end_turn'
  /** @type {string | undefined} */
  let last
  for (const line of orders.split('\n')) {
    const order = line.replaceAll('$UUID', () => randomUUID()).replaceAll('$DEEP', () => DEEP)
    const [, verb, first = '', rest = ''] = /^(\S+) ?(\S*) ?(.*)$/.exec(order) ?? []
    const all = order.slice(`${verb} `.length)
    if (verb === 'say') say(sessionId, all)
    else if (verb === 'tell') say(first, rest)
    else if (verb === 'update') send({ method: 'session/update', params: { sessionId, update: JSON.parse(all) } })
    else if (verb === 'shell') execSync(all)
    else if (verb === 'raw') process.stdout.write(`${all.replaceAll('$ID', String(id))}\n`)
    else if (verb === 'late') setTimeout(() => say(sessionId, rest), Number(first))
    else if (verb === 'last') last = all
    else if (verb === 'forever') setInterval(() => say(sessionId, 'on and on'), 10).unref()
    else if (verb === 'call') say(sessionId, JSON.stringify(await call(first, JSON.parse(rest))))
    else if (verb === 'begin') begun = call(first, JSON.parse(rest))
    else if (verb === 'join') say(sessionId, JSON.stringify(await begun))
    else if (verb === 'append') appendFileSync(expand(first), `${rest}\n`)
    else if (verb === 'link') symlinkSync(first, expand(rest))
    else if (verb === 'error') process.stderr.write(`${all}\n`)
    else if (verb === 'reject') return send({ id, error: { code: Number(first), message: 'rejected' } })
    else if (verb === 'wait') {
      await new Promise((resolve) => {
        cancel = () => resolve(undefined)
      })
      stopReason = 'cancelled'
    }
  }
  send({ id, result: { stopReason } })
  if (last !== undefined) say(sessionId, last)
}

/** @param {string} file */
function expand(file) {
  return file.replace(/^\$(\w+)/, (_, name) => process.env[name] ?? '')
}

/**
 * @param {string} sessionId
 * @param {string} text
 */
function say(sessionId, text) {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }
  send({ method: 'session/update', params: { sessionId, update } })
}

/**
 * @param {string} method
 * @param {object} params
 */
async function call(method, params) {
  const id = `r${++requests}`
  const response = new Promise((resolve) => waiting.set(id, resolve))
  send({ id, method, params })
  const { result, error } = /** @type {{ result?: unknown, error?: unknown }} */ (await response)
  return error ? { error } : { result }
}
