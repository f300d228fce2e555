import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { childEnv, guardGroup, type Workplace, withDeadline } from 'jest-environment-acp/child'

/** The result of a command. `output` is stdout and stderr, in order. */
export interface CommandRun {
  status: number | null
  output: string
}

const LONGEST_COMMAND_MS = 300_000

/**
 * Runs a command line as a user does in a shell, with a home and a temp directory of its own.
 *
 * @param env its variables, beside the few that every program needs; others, such as `CI`, are not inherited
 */
export async function runCommand(
  command: string,
  { dir, place, env = {} }: { dir: string; place: Pick<Workplace, 'home' | 'tmp'>; env?: Record<string, string> },
): Promise<CommandRun> {
  const child = spawn('sh', ['-c', command], {
    cwd: dir,
    env: childEnv({ npm_config_update_notifier: 'false', npm_config_offline: 'true', ...env }, place),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid === undefined) throw new Error(`failed to start: ${command}`)
  const release = guardGroup(child.pid)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const [status] = await withDeadline(once(child, 'close'), LONGEST_COMMAND_MS, `the end of ${command}`)
  release()
  return { status, output }
}

/** Expects that a command ended with a status. @throws Error with the whole output */
export function expectStatus(expected: number, { status, output }: CommandRun): void {
  if (status !== expected) throw new Error(`expected status ${expected}, got ${status}:\n${output}`)
}
