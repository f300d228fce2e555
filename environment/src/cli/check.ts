import { dirname, relative, resolve } from 'node:path'
import { Command } from 'commander'
import { guardFixtures } from '../guard/guard-fixtures.ts'
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
import { CommandError, EXIT, type Shell } from './shell.ts'
import { readSnapshotProjects, type SnapshotProject } from './snapshot-projects.ts'

const HELP = `
Checks steps, recorded answers, logs, goldens, pins and secrets of every scenario. An interrupted write of a fixture is
finished first.

examples:
  npx acp-snapshot check
  npx acp-snapshot check test/scenarios --session-logs`

interface CheckOptions {
  config?: string
  sessionLogs?: string | boolean
}

/** `acp-snapshot check`: checks fixtures without starting an agent. */
export function checkCommand(shell: Shell, exit: (code: number) => void): Command {
  return new Command('check')
    .description('checks all fixtures without starting an agent')
    .argument('[directory]', "the scenarios' directory; by default those of the Jest config, or ./__fixtures__")
    .option('-c, --config <file>', 'the Jest config')
    .option('--session-logs [module]', 'the scenarios have session logs; with a module, in its format')
    .option('--no-session-logs', 'the scenarios have no session logs')
    .addHelpText('after', HELP)
    .action(async (directory: string | undefined, options: CheckOptions) => {
      const projects = await readSnapshotProjects(shell.cwd, options.config)
      const dirs = directory === undefined ? defaultDirectories(projects, shell.cwd) : [directory]
      let code: number = EXIT.ok
      for (const dir of dirs) {
        const sessionLogs = options.sessionLogs ?? sessionLogsOf(resolve(shell.cwd, dir), projects)
        const module = typeof sessionLogs === 'string' ? resolve(shell.cwd, sessionLogs) : sessionLogs
        code = Math.max(code, check(dir, await loadLogFormat(module), shell))
      }
      exit(code)
    })
}

/** The directories that hold the scenarios of the Jest config, relative to the current one where they are below it. */
function defaultDirectories(projects: readonly SnapshotProject[], cwd: string): string[] {
  const dirs = projects.flatMap(({ scenarios }) => scenarios).map((dir) => dirname(dir))
  const shown = [...new Set(dirs)].sort().map((dir) => relative(cwd, dir) || '.')
  return shown.length === 0 ? ['__fixtures__'] : shown
}

/** The option `sessionLogs` of the project that the scenarios belong to. */
function sessionLogsOf(dir: string, projects: readonly SnapshotProject[]): string | boolean {
  const project = projects.find(({ scenarios }) => scenarios.some((scenario) => dirname(scenario) === dir))
  return project?.options.sessionLogs ?? false
}

const NO_DIRECTORY: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR'])

/** Checks one directory. @returns the exit code @throws CommandError if it cannot be read */
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
    throw new CommandError(`${arg} ${problem}`, EXIT.usage)
  }
  const options = { complete: true, logFormat, secrets: secretsOf(shell.env), rules: searchWithSecretlint }
  const faults = [...unfinished, ...guardFixtures(tree, options)]
  const note = opaqueNote(tree.scenarios)
  if (note !== undefined) shell.err(note)
  const checked = count(tree.scenarios.length, 'fixture')
  if (faults.length === 0) {
    shell.out(`${checked}, no faults`)
    return EXIT.ok
  }
  shell.err(`${checked}, ${count(faults.length, 'fault')}:\n${printFaults(faults)}`)
  return EXIT.failed
}

/** Without the user name: it may be a normal word in someone else's fixture. A recording checks for it. */
function secretsOf(env: NodeJS.ProcessEnv) {
  const { values, home } = localSecrets(env)
  return { values, home }
}
