import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { settlesWithin } from './deadline.ts'
import { type Frame, FrameReader, type Noise } from './frames.ts'
import { type PinnedCommand, spawnPinned } from './launch.ts'
import { guardGroup } from './reaper.ts'
import { signalGroup } from './sweep.cjs'
import { Tail } from './tail.ts'

/** How the agent ended: one of the two is null. */
export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

interface SpawnOptions extends PinnedCommand {
  /** Receives every line of stdout, in order. Must not throw. */
  onLine: (line: Frame | Noise) => void
}

const STDERR_BYTES = 64 * 1024
/** How long to read output after the agent's exit, when a process that it left behind holds the pipe open. */
const PIPE_GRACE_MS = 500

/** A running agent, the leader of its own process group (on POSIX). It reads and writes lines of JSON. */
export class AgentProcess {
  readonly pid: number
  /**
   * Resolves once the agent has exited, its output is read and its group is killed; never rejects.
   * Output that a left-behind process writes more than half a second after the agent's exit is lost.
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
      // Before anything else: this process may be killed at any time.
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
    // A broken pipe or a failed kill means that the agent is gone, which `exited` reports.
    for (const emitter of [child, stdin, stdout, stderr]) emitter.on('error', () => {})
    readLines(stdout, onLine)
    stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk))

    const closed = new Promise((resolve) => child.once('close', resolve))
    this.exited = new Promise<Exit>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }))
    }).then(async (exit) => {
      this.#running = false
      // On Windows, the pid of a dead process does not lead to its children, and may soon belong to another process.
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

  /** Whether the agent itself still runs; `exited` may resolve a little later. */
  get running(): boolean {
    return this.#running
  }

  /** The last 64 KiB that the agent wrote to stderr. */
  get stderr(): string {
    return this.#stderr.text
  }

  /**
   * Sends one message. Does nothing if the agent is gone: `exited` reports the exit.
   *
   * @param id the JSON text of an id to add to a message without one: as a value, a long number would be rounded
   */
  send(message: object, id?: string): void {
    if (!this.#stdin.writable) return
    const text = JSON.stringify(message)
    this.#stdin.write(`${id === undefined ? text : `${text.slice(0, -1)},"id":${id}}`}\n`)
  }

  /** Asks the agent to exit by ending its input. */
  closeStdin(): void {
    this.#stdin.end()
  }

  /** Signals the agent's whole process group, including its children. */
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
  const interpreter = 'or its "#!" line names a program that does not exist'
  if (code !== 'ENOENT' && code !== 'EACCES') return message
  // A PATH directory without permission to enter turns "not found" into EACCES.
  if (!/[\\/]/.test(command)) {
    return `the PATH holds no such executable, ${interpreter} (${code}). Check "command" in testEnvironmentOptions.acp`
  }
  if (code === 'ENOENT') return `there is no such file, ${interpreter} (ENOENT)`
  return 'it is not executable (EACCES). Check its mode, or start it through its interpreter'
}
