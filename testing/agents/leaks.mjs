// Leaks its key as the prompt says, then fails the turn. The prompt is "<encoding> <padding> <where> <where> …", where
// <padding> is the number of characters before the key.
import { once } from 'node:events'
import { send, serve } from './lib/acp.mjs'

const { PUPPET_KEY: KEY = '' } = process.env

/** @type {Readonly<Record<string, (key: string) => string>>} */
const HOW = {
  plain: (key) => key,
  base64: (key) => Buffer.from(`{"key":"${key}"}`).toString('base64'),
  hex: (key) => Buffer.from(key).toString('hex'),
  percent: encodeURIComponent,
  json: (key) => JSON.stringify(JSON.stringify({ key })),
  escapes: (key) => [...key].map((char) => `\\u00${char.charCodeAt(0).toString(16)}`).join(''),
  capitals: (key) => key.toUpperCase(),
  wrapped: (key) => key.replace(/.{7}/g, '$&\n'),
  wide: (key) => [...key].join('\0'),
}

serve({
  before: ({ id, method, params }) => {
    if (method !== 'session/prompt') return false
    void leak(id, params?.sessionId ?? '', params?.prompt?.[0]?.text ?? '')
    return true
  },
})

/**
 * @param {unknown} id
 * @param {string} sessionId
 * @param {string} order
 */
async function leak(id, sessionId, order) {
  const [how = '', before = '0', ...where] = order.split(' ')
  const said = `${'.'.repeat(Number(before))} ${HOW[how]?.(KEY)} `
  if (where.includes('frame')) {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: said }, _meta: { [said]: 1 } }
    send({ method: 'session/update', params: { sessionId, update } })
  }
  if (where.includes('stderr')) await write(process.stderr, `${said}\n`)
  if (where.includes('chunks')) for (const char of `${said}\n`) await write(process.stderr, char)
  if (where.includes('stdout')) await write(process.stdout, `${said}\n`)
  const [message, data] = [where.includes('error') ? said : 'failed', where.includes('data') ? [said] : 1]
  send({ id, error: { code: -32000, message, data } })
}

/**
 * @param {NodeJS.WriteStream} stream
 * @param {string} text
 */
async function write(stream, text) {
  if (!stream.write(text)) await once(stream, 'drain')
  await new Promise(setImmediate)
}
