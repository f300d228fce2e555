// Commits sets of files to a directory, in turn. Reads the sets as JSON from stdin, and repeats them forever with
// "loop". Prints "done" after each commit, and an error as one line on stderr.
import { readFileSync } from 'node:fs'
import { commitFiles } from '../../src/record/commit.ts'

type Files = Record<string, string | null>

const [dir = '', mode] = process.argv.slice(2)
const sets = (JSON.parse(readFileSync(0, 'utf8')) as Files[]).map(
  (files) => new Map(Object.entries(files).map(([name, text]) => [name, text ?? undefined])),
)
try {
  do {
    for (const files of sets) {
      commitFiles(dir, files)
      process.stdout.write('done\n')
    }
  } while (mode === 'loop')
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
