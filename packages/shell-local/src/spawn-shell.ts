import type { ChildProcess } from 'node:child_process'
import spawn from 'cross-spawn'

/**
 * Becomes the shell that runs `$1`. One pipe for stdout and stderr, because two would lose the order of what is
 * written to them. A shell that reads no start-up files: the same command does the same on every machine.
 */
const LAUNCH = 'exec 2>&1; command -v bash >/dev/null && exec bash --noprofile --norc -c -- "$1"; exec sh -c -- "$1"'

/** Starts a fresh shell on a command: its input closed, and on POSIX the leader of its own process group. */
export function spawnShell(command: string, cwd: string, env: NodeJS.ProcessEnv): ChildProcess {
  if (process.platform === 'win32') {
    return spawn('cmd.exe', ['/d', '/s', '/c', `"${command}"`], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      windowsVerbatimArguments: true,
    })
  }
  return spawn('sh', ['-c', LAUNCH, 'sh', command], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'], detached: true })
}
