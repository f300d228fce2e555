// Commits files from a separate process group, so that it survives when the process that started it is killed.
// stdin: a JSON array of [path, content], where content is a text, { base64 }, or null to remove the file.
const fs = require('node:fs')
const journal = require('../io/journal.cjs')

const [dir = '', prefix = ''] = process.argv.slice(2)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

try {
  // Truncated input does not parse, so nothing is written.
  /** @type {[string, string | { base64: string } | null][]} */
  const files = JSON.parse(fs.readFileSync(0, 'utf8'))
  const changes = files.map(([name, content]) => /** @type {const} */ ([name, decode(content)]))
  journal.commit(dir, changes, prefix)
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

/** @param {string | { base64: string } | null} content */
function decode(content) {
  return typeof content === 'object' && content !== null ? Buffer.from(content.base64, 'base64') : content
}
