// Commits sets of files to a directory, in turn and forever, in this very process, which may be killed at any moment.
// argv: the directory, the prefix of journals, and the sets as JSON. Says "done" after each commit.
const journal = require('../../src/io/journal.cjs')

const [dir = '', prefix = '', sets = '[]'] = process.argv.slice(2)
for (;;) {
  for (const set of JSON.parse(sets)) {
    journal.commit(dir, Object.entries(set), prefix)
    process.stdout.write('done\n')
  }
}
