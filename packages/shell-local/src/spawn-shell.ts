import type { ChildProcess } from 'node:child_process'
import spawn from 'cross-spawn'

/**
 * Replaces itself with the shell that runs `$1`. stdout and stderr share one pipe, because two pipes would lose the order
 * of writes. The shell reads no start-up files, so that a command behaves the same on every machine.
 */
const LAUNCH = 'exec 2>&1; command -v bash >/dev/null && exec bash --noprofile --norc -c -- "$1"; exec sh -c -- "$1"'

/** Starts a new shell for a command, without input; on POSIX it leads its own process group. */
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
