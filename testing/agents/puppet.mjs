// Executes the orders in a prompt. Each line is one order: a verb and its arguments. In the arguments, $UUID stands for
// a new UUID, and $DEEP for an array that is nested 100,000 levels deep.
//   say <text>               sends a message chunk in this session
//   tell <sessionId> <text>  sends a message chunk in another session
//   call <method> <params>   sends a request to the client, and says the whole response
//   begin <method> <params>  sends a request to the client, and does not wait for the response
//   join                     waits for the response to the last `begin`, and says the whole response
//   wait                     waits for session/cancel; the turn then ends with "cancelled"
//   update <json>            sends this update in this session
//   raw <line>               writes this line to stdout, unchanged except that $ID becomes the id of the prompt
//   late <ms> <text>         says this text after a delay, even if the turn has ended
//   last <text>              says this text immediately after the end of the turn
//   forever                  repeats a text until the process exits, even after the end of the turn
//   shell <command>          runs a shell command in the agent's directory
//   show <file>              says the content of a file; $NAME works as in `append`
//   append <file> <text>     appends to a file; $NAME at the start of the path is an environment variable
//   link <target> <file>     makes a symbolic link; $NAME works as in `append`
//   error <text>             writes to stderr
//   reject <code>            answers the prompt with this error code
// session/set_mode does the same as `forever`.
// If $SESSIONS is set, each session has a log in it, which holds only a header until an `append` adds to it. If
// $VERSION is set, it is the version in the answer to initialize. If $BOOTED is set, each start appends a line to that
// file.
import { execSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
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
    else if (method === 'session/set_mode') {
      send({ id, result: {} })
      sayForever(params?.sessionId ?? '')
    } else if (method === 'session/prompt') obey(id, params?.sessionId ?? '', params?.prompt?.[0]?.text ?? '')
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
    else if (verb === 'forever') sayForever(sessionId)
    else if (verb === 'call') say(sessionId, JSON.stringify(await call(first, JSON.parse(rest))))
    else if (verb === 'begin') begun = call(first, JSON.parse(rest))
    else if (verb === 'join') say(sessionId, JSON.stringify(await begun))
    else if (verb === 'show') say(sessionId, readFileSync(expand(all), 'utf8'))
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

/** @param {string} sessionId */
function sayForever(sessionId) {
  setInterval(() => say(sessionId, 'on and on'), 10).unref()
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
