// A minimal ACP agent. Each agent in the parent directory adds one behaviour to it.
import { createInterface } from 'node:readline'

/** @typedef {{ sessionId?: string, cwd?: string, prompt?: { text: string }[] }} Params the parameters that these agents read */
/** @typedef {{ id?: number | string, method?: string, params?: Params }} Message */

/** Writes one message. @param {object} message */
export function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

/**
 * Answers initialize, session/new and session/prompt until stdin ends. Sends the text of a prompt back as one chunk.
 *
 * @param {object} [options]
 * @param {Record<string, unknown>} [options.meta] becomes `_meta` in the answer to initialize
 * @param {(message: Message) => boolean | void} [options.before] receives each message first; if it returns `true`, `serve` does not answer
 */
export function serve({ meta, before } = {}) {
  let sessions = 0
  createInterface({ input: process.stdin }).on('line', (line) => {
    /** @type {Message} */
    const message = JSON.parse(line)
    if (before?.(message) || message.id === undefined || message.method === undefined) return
    const { id, method, params } = message
    if (method === 'initialize') {
      send({ id, result: { protocolVersion: 1, agentCapabilities: {}, ...(meta && { _meta: meta }) } })
    } else if (method === 'session/new') {
      send({ id, result: { sessionId: `session-${++sessions}` } })
    } else if (method === 'session/prompt') {
      const content = { type: 'text', text: params?.prompt?.[0]?.text }
      const update = { sessionUpdate: 'agent_message_chunk', content }
      send({ method: 'session/update', params: { sessionId: params?.sessionId, update } })
      send({ id, result: { stopReason: 'end_turn' } })
    } else {
      send({ id, error: { code: -32601, message: `method not found: ${method}` } })
    }
  })
}
