import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { childEnv, guardGroup, signalGroup, type Workplace, withDeadline } from 'jest-environment-acp/child'

/** The result of a command. `output` is stdout and stderr, in order. */
export interface CommandRun {
  status: number | null
  output: string
}

const LONGEST_COMMAND_MS = 300_000

/** A command that runs, the leader of its own process group. */
export interface StartedCommand {
  done: Promise<CommandRun>
  /** Resolves with the match when the command has printed such a text. Rejects if it ends before. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** Ends its process group, and waits for the end. */
  stop(): Promise<void>
}

interface Surroundings {
  dir: string
  place: Pick<Workplace, 'home' | 'tmp'>
  /** Its variables, beside the few that every program needs; others, such as `CI`, are not inherited. */
  env?: Record<string, string>
}

/** Runs a command line as a user does in a shell, with a home and a temp directory of its own. */
export function runCommand(command: string, surroundings: Surroundings): Promise<CommandRun> {
  return startCommand(command, surroundings).done
}

/** Starts a command line like `runCommand`, for a program that runs until it is stopped. */
export function startCommand(command: string, { dir, place, env = {} }: Surroundings): StartedCommand {
  const child = spawn('sh', ['-c', command], {
    cwd: dir,
    env: childEnv({ npm_config_update_notifier: 'false', npm_config_offline: 'true', ...env }, place),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`failed to start: ${command}`)
  const release = guardGroup(pid)
  let output = ''
  const printing = new EventEmitter()
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
      printing.emit('more')
    })
  const closed = once(child, 'close')
  const end = async () => {
    const [status] = await closed
    release()
    printing.emit('more')
    return { status, output }
  }
  const wait = async (pattern: RegExp) => {
    for (;;) {
      const match = pattern.exec(output)
      if (match) return match
      if (child.exitCode !== null) throw new Error(`${command} ended without ${pattern}:\n${output}`)
      await once(printing, 'more')
    }
  }
  const done = withDeadline(end(), LONGEST_COMMAND_MS, `the end of ${command}`)
  return {
    done,
    printed: (pattern) => withDeadline(wait(pattern), LONGEST_COMMAND_MS, `${pattern} in the output of ${command}`),
    async stop() {
      signalGroup(pid, 'SIGTERM')
      await done
    },
  }
}

/** Expects that a command ended with a status. @throws Error with the whole output */
export function expectStatus(expected: number, { status, output }: CommandRun): void {
  if (status !== expected) throw new Error(`expected status ${expected}, got ${status}:\n${output}`)
}
