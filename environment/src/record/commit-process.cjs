// Commits files. A process of its own, in its own group: whoever ordered the write may be killed meanwhile.
// stdin holds [name, text] of each file, as JSON; a file whose text is null is removed.
const fs = require('node:fs')
const journal = require('../io/journal.cjs')

const [dir = '', prefix = ''] = process.argv.slice(2)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

try {
  // Does not parse when it was cut.
  journal.commit(dir, JSON.parse(fs.readFileSync(0, 'utf8')), prefix)
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
