import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import { childEnv, withDeadline } from '../../environment/src/child/index.ts'
import { guardGroup } from '../../environment/src/child/reaper.ts'
import { signalGroup } from '../../environment/src/child/sweep.cjs'

/** The result of a run of Jest. `status` is null after a signal; `output` is stdout and stderr, in order of arrival. */
export interface JestRun {
  status: number | null
  output: string
}

/** A running Jest, the leader of its own process group. */
export interface StartedJest {
  done: Promise<JestRun>
  /** Resolves once Jest has printed the text. */
  printed(text: string): Promise<void>
  /** Sends SIGKILL to Jest alone, or to its process group with its workers. Does nothing after its exit. */
  kill(whom: 'Jest alone' | 'the group'): void
}

const LONGEST_RUN_MS = 600_000

/**
 * Starts Jest in a project, as a user does from a shell.
 *
 * @param env its variables, in addition to the few that every program needs. It inherits none of ours, such as `CI`.
 */
export function startJest(
  args: readonly string[],
  env: Record<string, string>,
  { dir, home, tmp }: { dir: string; home: string; tmp: string },
): StartedJest {
  const bin = join(dir, 'node_modules', 'jest', 'bin', 'jest.js')
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: dir,
    env: childEnv(env, { home, tmp }),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { pid } = child
  if (pid === undefined) throw new Error('Jest could not be started')
  const release = guardGroup(pid)
  let output = ''
  const printing = new EventEmitter()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => {
      output += text
      printing.emit('more')
    })
  }
  const end = async (): Promise<JestRun> => {
    const [status] = await once(child, 'close')
    release()
    return { status, output }
  }
  const wait = async (text: string) => {
    while (!output.includes(text)) await once(printing, 'more')
  }
  const command = `jest ${args.join(' ')}`
  return {
    done: withDeadline(end(), LONGEST_RUN_MS, `the end of ${command}`),
    printed: (text) => withDeadline(wait(text), LONGEST_RUN_MS, `${JSON.stringify(text)} in the output of ${command}`),
    kill: (whom) => {
      if (whom === 'Jest alone') child.kill('SIGKILL')
      else signalGroup(pid, 'SIGKILL')
    },
  }
}
