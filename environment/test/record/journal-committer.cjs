// Commits sets of files to a directory, in turn and forever. The commits happen in this process, which a test kills.
// Arguments: the directory, the prefix of journals, and the sets as JSON. Prints "done" after each commit.
const journal = require('../../src/io/journal.cjs')

const [dir = '', prefix = '', sets = '[]'] = process.argv.slice(2)
for (;;) {
  for (const set of JSON.parse(sets)) {
    journal.commit(dir, Object.entries(set), prefix)
    process.stdout.write('done\n')
  }
}
