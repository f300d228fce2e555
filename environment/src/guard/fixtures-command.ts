import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { escapeLine } from '../escape-controls.ts'
import { recover } from '../io/journal.cjs'
import type { LogFormat } from '../logs/log-format.ts'
import { loadLogFormat } from '../logs/log-formats.ts'
import { count, type FixtureFault, printFaults } from '../scenario/fault.ts'
import { STAGING } from '../scenario/files.ts'
import { isSystemError, readFixtureTree } from '../scenario/read-files.ts'
import type { FixtureTree } from '../scenario/tree.ts'
import { localSecrets } from '../secrets/local-secrets.ts'
import { opaqueNote } from '../secrets/opaque-note.ts'
import { searchWithSecretlint } from '../secrets/secretlint.ts'
import { guardFixtures } from './guard-fixtures.ts'
import { jsonSchemas } from './json-schemas.ts'

/** What the command needs from its process. */
export interface Shell {
  cwd: string
  env: NodeJS.ProcessEnv
  /** The directory that `--write-schema` writes to. */
  schemaDir: string
  /** The program that searches texts with secretlint. */
  secretlint: string
  out: (line: string) => void
  err: (line: string) => void
}

const USAGE = 'usage: acp-fixtures [directory] [--session-logs <module> | --no-session-logs] | --write-schema | --help'

const HELP = `${USAGE}

Checks the fixtures of a directory without starting an agent: script, logs, goldens, pins and secrets of each scenario.

  directory           the scenarios' directory; ./__fixtures__ by default
  --session-logs <module>
                      reads the session logs with this module (as "sessionLogs": "<module>" in the Jest config)
  --no-session-logs   the agent writes no session logs: no scenario has one (as "sessionLogs": false in the Jest config)
  --write-schema      writes the JSON Schemas again, and checks nothing
  -h, --help          prints this text

An interrupted write of a fixture is finished first. Exit code: 0 without faults, 1 with faults, 2 if nothing was checked.

examples:
  npx acp-fixtures
  npx acp-fixtures test/__fixtures__ --no-session-logs`

const NO_DIRECTORY: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR'])

const OPTIONS = {
  'no-session-logs': { type: 'boolean' },
  'session-logs': { type: 'string' },
  'write-schema': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** The `acp-fixtures` command: checks a fixtures directory without starting an agent. @returns the exit code */
export async function fixtures(args: readonly string[], shell: Shell): Promise<number> {
  const command = parseCommand(args)
  if ('problem' in command) return fail(shell, `${escapeLine(command.problem)}\n${USAGE}`, 2)
  if (command.action === 'write schemas') return writeSchemas(shell)
  if (command.action === 'check') return loadAndCheck(command, shell)
  shell.out(HELP)
  return 0
}

interface CheckCommand {
  action: 'check'
  dir: string
  sessionLogs: boolean | string
}

type Command = { action: 'help' | 'write schemas' } | CheckCommand

function parseCommand(args: readonly string[]): Command | { problem: string } {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
    if (values.help) return { action: 'help' }
    if (values['write-schema']) {
      if (args.length > 1) return { problem: '--write-schema takes no directory and no other option' }
      return { action: 'write schemas' }
    }
    const [dir = '__fixtures__', ...more] = positionals
    if (more.length > 0) return { problem: `expected one directory, got ${positionals.length}` }
    const { 'no-session-logs': none, 'session-logs': module } = values
    if (none && module !== undefined) return { problem: '--session-logs and --no-session-logs cannot be combined' }
    return { action: 'check', dir, sessionLogs: module ?? !none }
  } catch (error) {
    if (!isUsageMistake(error)) throw error
    return { problem: error.message }
  }
}

/** Not `instanceof Error`: under Jest, Node's own errors belong to another realm. */
function isUsageMistake(error: unknown): error is { message: string } {
  return (
    typeof error === 'object' && error !== null && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
  )
}

async function loadAndCheck({ dir, sessionLogs }: CheckCommand, shell: Shell): Promise<number> {
  const module = typeof sessionLogs === 'string' ? resolve(shell.cwd, sessionLogs) : sessionLogs
  return check(dir, await loadLogFormat(module), shell)
}

function check(arg: string, logFormat: LogFormat, shell: Shell): number {
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
  const options = { complete: true, logFormat, secrets: secretsOf(shell.env), rules }
  const faults = [...unfinished, ...guardFixtures(tree, options)]
  const note = opaqueNote(tree.scenarios)
  if (note !== undefined) shell.err(note)
  const checked = count(tree.scenarios.length, 'fixture')
  if (faults.length > 0) return fail(shell, `${checked}, ${count(faults.length, 'fault')}:\n${printFaults(faults)}`, 1)
  shell.out(`${checked}, no faults`)
  return 0
}

/** Without the user name: it may be a normal word in someone else's fixture. A recording checks for it. */
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
