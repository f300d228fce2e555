import type { ChildProcess } from 'node:child_process'
import * as fs from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import spawn from 'cross-spawn'
import { markOf } from './sweep.cjs'

/** What is started, and where. */
export interface PinnedCommand {
  command: string
  args: readonly string[]
  cwd: string
  /** The whole environment; the host's variables are not added. */
  env: Record<string, string>
  /** Whether stderr goes to stdout, so that the order between them stays. Not on Windows. */
  mergesOutput?: boolean | undefined
}

const SHELL = '/bin/sh'
/** The directories that `execvp` searches without a PATH. */
const DEFAULT_PATH = '/bin:/usr/bin'
/** A shell exports these by itself. */
const SHELL_VARIABLES = ['PWD', 'OLDPWD', 'SHLVL']
const SHEBANG_BYTES = 256

/**
 * Starts a program as the leader of its own session, without a controlling terminal. It also fixes what a process
 * inherits besides its environment: the umask is 022, and a crash writes no core file. The program and its descendants
 * carry the mark of the workplace, see `markOf`.
 *
 * Node cannot set these for a child, so on POSIX a shell sets them and then becomes the program (`exec` keeps the pid).
 *
 * @throws Error with `code` ENOENT or EACCES, when the program cannot be started
 */
export function spawnPinned({ command, args, cwd, env, mergesOutput }: PinnedCommand): ChildProcess {
  if (process.platform === 'win32') return spawn(command, args, { cwd, env, windowsHide: true, stdio: 'pipe' })
  const options = { cwd, env, detached: true, stdio: 'pipe' } as const
  // dash drops variables whose names are not valid in a shell.
  const shellPassesAll = Object.keys(env).every((name) => /^[A-Za-z_]\w*$/.test(name))
  if (!shellPassesAll || !fs.existsSync(SHELL) || !fs.existsSync(cwd)) return spawn(command, args, options)
  const unset = SHELL_VARIABLES.filter((name) => !(name in env))
  return spawn(SHELL, ['-c', pinning(cwd, unset, mergesOutput), findProgram(command, cwd, env.PATH), ...args], options)
}

/** dash exits when it cannot set a limit, so a subshell tries it first. */
function pinning(cwd: string, unset: readonly string[], mergesOutput = false): string {
  const mark = markOf(cwd)
  const limits = ['-S -c 0', ...(mark === undefined ? [] : [`-S -m ${mark}`])]
  const lines = limits.map((limit) => `(ulimit ${limit}) 2>/dev/null && ulimit ${limit}`)
  const merging = mergesOutput ? ['exec 2>&1'] : []
  return ['umask 022', ...lines, `unset ${unset.join(' ')}`, ...merging, 'exec "$0" "$@"'].join('\n')
}

/** Finds the file that `execvp` would run, to fail with its error code: the shell would only exit with 126 or 127. */
function findProgram(command: string, cwd: string, path = DEFAULT_PATH): string {
  const named = command.includes('/')
  const candidates = named
    ? [resolve(cwd, command)]
    : path.split(delimiter).map((dir) => resolve(cwd, join(dir, command)))
  let code = 'ENOENT'
  for (const file of candidates) {
    const problem = problemWith(file)
    if (problem === undefined) return file
    if (problem === 'EACCES') code = problem
  }
  throw Object.assign(new Error(`${command}: ${code}`), { code })
}

function problemWith(file: string): string | undefined {
  try {
    if (!fs.statSync(file).isFile()) return 'EACCES'
    fs.accessSync(file, fs.constants.X_OK)
    const interpreter = interpreterOf(file)
    return interpreter === undefined || fs.existsSync(interpreter) ? undefined : 'ENOENT'
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    // Node rejects the path before it asks the system.
    if (code === 'ERR_INVALID_ARG_VALUE') throw new Error(message, { cause: error })
    return code === 'EACCES' ? code : 'ENOENT'
  }
}

/** The program that a script's first line names. An executable file that cannot be read is not a script. */
function interpreterOf(file: string): string | undefined {
  let fd: number
  try {
    fd = fs.openSync(file, 'r')
  } catch {
    return undefined
  }
  try {
    const bytes = Buffer.alloc(SHEBANG_BYTES)
    const text = bytes.toString('utf8', 0, fs.readSync(fd, bytes))
    return /^#!\s*(\/\S+)/.exec(text)?.[1]
  } finally {
    fs.closeSync(fd)
  }
}
