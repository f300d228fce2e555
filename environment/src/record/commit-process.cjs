// Commits files. A process of its own, in its own group: whoever ordered the write may be killed meanwhile.
// stdin holds [path, content] of each file, as JSON: a text, { base64 }, or null for a file that is removed.
const fs = require('node:fs')
const journal = require('../io/journal.cjs')

const [dir = '', prefix = ''] = process.argv.slice(2)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

try {
  // Does not parse when it was cut.
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
