import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { escapeLine } from '../escape-controls.ts'
import { recover } from '../io/journal.cjs'
import { count, type FixtureFault, printFaults } from '../scenario/fault.ts'
import { STAGING } from '../scenario/files.ts'
import { isSystemError, readFixtureTree } from '../scenario/read-files.ts'
import type { FixtureTree } from '../scenario/tree.ts'
import { localSecrets } from '../secrets/local-secrets.ts'
import { opaqueNote } from '../secrets/opaque-note.ts'
import { searchWithSecretlint } from '../secrets/secretlint.ts'
import { guardFixtures } from './guard-fixtures.ts'
import { jsonSchemas } from './json-schemas.ts'

/** Where the command stands, and where it writes. */
export interface Shell {
  cwd: string
  env: NodeJS.ProcessEnv
  /** Where `--write-schema` writes. */
  schemaDir: string
  /** The program that searches texts with secretlint. */
  secretlint: string
  out: (line: string) => void
  err: (line: string) => void
}

const USAGE =
  'usage: acp-fixtures [directory]     checks the fixtures; ./__fixtures__ when left out\n       acp-fixtures --write-schema  writes the JSON Schemas anew'

const NO_DIRECTORY: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR'])

/** `npm run fixtures`: checks a fixtures directory without booting anything. Returns the exit code. */
export function fixtures(args: readonly string[], shell: Shell): number {
  const [arg = '__fixtures__', ...more] = args
  if (more.length > 0) return fail(shell, USAGE, 2)
  if (arg === '--write-schema') return writeSchemas(shell)
  return arg.startsWith('-') ? fail(shell, USAGE, 2) : check(arg, shell)
}

function check(arg: string, shell: Shell): number {
  const dir = resolve(shell.cwd, arg)
  let tree: FixtureTree
  let unfinished: FixtureFault[]
  try {
    unfinished = [...recover(dir, STAGING)].map(([name, problem]) => ({
      file: `${arg}/${name}`,
      message: `an interrupted write cannot be finished: ${problem}`,
    }))
    tree = readFixtureTree(dir, shell.cwd)
  } catch (error) {
    if (!isSystemError(error)) throw error
    const problem = NO_DIRECTORY.has(error.code) ? 'is not a directory' : `cannot be read: ${error.code}`
    return fail(shell, `${escapeLine(arg)} ${problem}\n${USAGE}`, 2)
  }
  const rules = (texts: readonly string[]) => searchWithSecretlint(texts, shell.secretlint)
  const faults = [...unfinished, ...guardFixtures(tree, { complete: true, secrets: secretsOf(shell.env), rules })]
  const note = opaqueNote(tree.scenarios)
  if (note !== undefined) shell.err(note)
  const checked = count(tree.scenarios.length, 'fixture')
  if (faults.length > 0) return fail(shell, `${checked}, ${count(faults.length, 'fault')}:\n${printFaults(faults)}`, 1)
  shell.out(`${checked}, no faults`)
  return 0
}

/** The user's name is left out: it may be a word of another person's fixture. A recording looks for it. */
function secretsOf(env: NodeJS.ProcessEnv) {
  const { values, home } = localSecrets(env)
  return { values, home }
}

function writeSchemas(shell: Shell): number {
  for (const [name, text] of jsonSchemas()) {
    writeFileSync(join(shell.schemaDir, name), text)
    shell.out(`wrote ${join(shell.schemaDir, name)}`)
  }
  return 0
}

function fail(shell: Shell, message: string, exitCode: number): number {
  shell.err(message)
  return exitCode
}
