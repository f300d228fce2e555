// Plain CommonJS, because the reporter runs it as it is, without a loader.
const path = require('node:path')
const files = require('../io/plain-file.cjs')

/** The steps that ask the model; a prompt that is to be refused does not. */
const PROMPT = /^prompt(?:AndCancel)?$/

/**
 * Why a recording leaves a scenario alone: its model script is an override, or its log is a header alone, so that there
 * seems to be nothing to record. Says nothing of files that cannot be read: the fixture guard does.
 *
 * @param {string} dir
 * @param {boolean} sessionLogs whether the agent persists logs; else a log says nothing
 * @returns {string | undefined} completes a sentence that begins with the scenario's name
 */
function whyAuthored(dir, sessionLogs) {
  const input = readInput(path.join(dir, 'input.json'))
  if (input.overridden === true) return 'authored, so it is replayed and not recorded'
  if (!sessionLogs || !isHeaderOnly(path.join(dir, 'session.jsonl'))) return undefined
  if (!prompts(input)) return 'authored, so it is replayed and not recorded'
  return 'session.jsonl holds no model call, so it is replayed and not recorded. To record it, remove that file'
}

/** @param {Record<string, unknown>} input */
function prompts({ steps }) {
  return Array.isArray(steps) && steps.some((step) => PROMPT.test(String(step?.op)))
}

/** @param {string} file @returns {Record<string, unknown>} */
function readInput(file) {
  try {
    const input = JSON.parse(files.readPlainFile(file))
    return typeof input === 'object' && input !== null ? input : {}
  } catch {
    return {}
  }
}

/** @param {string} file */
function isHeaderOnly(file) {
  try {
    const text = files.readPlainFile(file)
    return text !== '' && !text.trimEnd().includes('\n')
  } catch {
    return false
  }
}

module.exports = { whyAuthored }
