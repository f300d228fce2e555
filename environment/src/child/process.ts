import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { settlesWithin } from './deadline.ts'
import { type Frame, FrameReader, type Noise } from './frames.ts'
import { spawnPinned } from './launch.ts'
import { guardGroup } from './reaper.ts'
import { signalGroup } from './sweep.cjs'
import { Tail } from './tail.ts'

/** How the agent ended: one of the two is null. */
export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface SpawnOptions {
  command: string
  args: readonly string[]
  cwd: string
  /** The whole environment: nothing of the host's is added. */
  env: Record<string, string>
  /** Is given every line of stdout, in order. Must not throw. */
  onLine: (line: Frame | Noise) => void
}

const STDERR_BYTES = 64 * 1024
/** How long output may go on after the agent's own end, when a process it left behind holds the pipe. */
const PIPE_GRACE_MS = 500

/** A running agent, leader of its own process group (on POSIX), spoken to by lines of JSON. */
export class AgentProcess {
  readonly pid: number
  /**
   * Resolves, and never rejects, once the agent is dead, its output is read and its group is killed.
   * What a left-behind process writes later than half a second after the agent's end is lost.
   */
  readonly exited: Promise<Exit>
  readonly #stdin: Writable
  readonly #stderr = new Tail(STDERR_BYTES)
  #running = true
  #groupGone = false

  /**
   * Starts the agent.
   *
   * @throws Error naming the command, when it cannot be started
   */
  static async spawn(options: SpawnOptions): Promise<AgentProcess> {
    const { command, args, cwd, env } = options
    try {
      const child = spawnPinned({ command, args, cwd, env })
      // At once: from here on, this process may be killed.
      const release = child.pid === undefined ? undefined : guardGroup(child.pid)
      const spawned = once(child, 'spawn')
      const agent = release && new AgentProcess(child, options, release)
      await spawned
      if (!agent) throw new Error('it has no pid')
      return agent
    } catch (error) {
      throw new Error(`cannot start the agent ${JSON.stringify(command)}: ${reason(options, error)}`, { cause: error })
    }
  }

  private constructor(child: ChildProcess, { onLine }: SpawnOptions, release: () => void) {
    const { pid, stdin, stdout, stderr } = child
    if (pid === undefined || !stdin || !stdout || !stderr) throw new Error('it has no pipes')
    this.pid = pid
    this.#stdin = stdin
    // A pipe that breaks, or a kill that fails, means that the agent is gone, and `exited` says so.
    for (const emitter of [child, stdin, stdout, stderr]) emitter.on('error', () => {})
    readLines(stdout, onLine)
    stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk))

    const closed = new Promise((resolve) => child.once('close', resolve))
    this.exited = new Promise<Exit>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }))
    }).then(async (exit) => {
      this.#running = false
      // There, the pid of a dead process leads to none of its children, and may soon be another's.
      this.#groupGone = process.platform === 'win32'
      await settlesWithin(closed, PIPE_GRACE_MS)
      this.signal('SIGKILL')
      this.#groupGone = true
      release()
      if (await settlesWithin(closed, PIPE_GRACE_MS)) return exit
      stdout.destroy()
      stderr.destroy()
      await closed
      return exit
    })
  }

  /** Whether the agent itself still runs; `exited` may come a little later. */
  get running(): boolean {
    return this.#running
  }

  /** What the agent wrote to stderr so far, of which the last 64 KiB. */
  get stderr(): string {
    return this.#stderr.text
  }

  /**
   * Sends one message. To an agent that is gone it sends nothing, quietly: `exited` tells of the death.
   *
   * @param id the JSON text of the message's id, for one that has none: as a value, a long number would be rounded
   */
  send(message: object, id?: string): void {
    if (!this.#stdin.writable) return
    const text = JSON.stringify(message)
    this.#stdin.write(`${id === undefined ? text : `${text.slice(0, -1)},"id":${id}}`}\n`)
  }

  /** The polite way to end an agent: the end of its input. */
  closeStdin(): void {
    this.#stdin.end()
  }

  /** Signals the agent's whole group, so its own children too. */
  signal(signal: NodeJS.Signals): void {
    if (!this.#groupGone) signalGroup(this.pid, signal)
  }
}

function readLines(stdout: Readable, onLine: SpawnOptions['onLine']): void {
  const reader = new FrameReader()
  stdout.on('data', (chunk: Buffer) => reader.push(chunk).forEach(onLine))
  stdout.once('close', () => reader.end().forEach(onLine))
}

function reason({ command, cwd }: SpawnOptions, error: unknown): string {
  if (!existsSync(cwd)) return `its working directory ${cwd} does not exist`
  const { code, message } = error as NodeJS.ErrnoException
  const interpreter = 'or its "#!" line names a program that is not there'
  if (code !== 'ENOENT' && code !== 'EACCES') return message
  // A directory of the PATH that may not be entered turns "not found" into EACCES.
  if (!/[\\/]/.test(command)) {
    return `the PATH holds no such executable, ${interpreter} (${code}). Check "command" in testEnvironmentOptions.acp`
  }
  if (code === 'ENOENT') return `there is no such file, ${interpreter} (ENOENT)`
  return 'it is not executable (EACCES). Check its mode, or start it through its interpreter'
}
