// Plain CommonJS: the reporter runs it without a loader.
const fs = require('node:fs')
const path = require('node:path')
const plainFiles = require('../io/plain-file.cjs')

/**
 * The rules of a project that replaced nothing: no file of a fixture holds the token of the added rule, or an update of
 * the unordered kind. The fixtures of a complete run hold every token, so no worker has to report what it replaced.
 *
 * @param {Record<string, unknown>} testEnvironmentOptions
 * @param {readonly string[]} tests the `input.json` of each scenario of the project that ran
 * @returns {string[]} as in `add "cost"`
 */
function findUnusedRules({ acp }, tests) {
  const { normalize } = toRecord(acp)
  const { add, unordered } = toRecord(normalize)
  /** The text that shows each rule at work. @type {Map<string, string>} */
  const signs = new Map()
  for (const rule of toList(add)) {
    const { name, token } = toRecord(rule)
    signs.set(`add "${name}"`, `{{${token}}}`)
  }
  for (const kind of toList(unordered)) signs.set(`unordered "${kind}"`, `:${JSON.stringify(kind)}`)
  if (tests.length === 0) return []
  try {
    for (const test of tests) {
      if (signs.size === 0) return []
      for (const text of textsOf(path.dirname(test))) {
        for (const [rule, sign] of signs) if (text.includes(sign)) signs.delete(rule)
      }
    }
  } catch {
    // A fixture cannot be read completely. Its own test fails and says why.
    return []
  }
  return [...signs.keys()]
}

/** The files of a fixture, and their names: a name may hold a token too. @param {string} dir @returns {string[]} */
function textsOf(dir) {
  const entries = fs.readdirSync(dir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name))
  return [...entries.map(({ name }) => name), ...files.map((file) => plainFiles.readPlainFile(file))]
}

/** @param {unknown} value @returns {Record<string, unknown>} */
function toRecord(value) {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** @param {unknown} value @returns {unknown[]} */
function toList(value) {
  return Array.isArray(value) ? value : []
}

module.exports = { findUnusedRules }
