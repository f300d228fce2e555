import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { settlesWithin } from './deadline.ts'
import { type PinnedCommand, spawnPinned } from './launch.ts'
import type { Exit } from './process.ts'
import { guardGroup } from './reaper.ts'
import { signalGroup } from './sweep.cjs'
import { Tail } from './tail.ts'

/** How long to read output after the exit, when a background process holds the pipe open. */
const PIPE_GRACE_MS = 500

/** A running command without input, the leader of its own process group (on POSIX). It keeps the end of its output. */
export class Command {
  /** Resolves once the command has exited and its output is read; never rejects. Its group may still run. */
  readonly exited: Promise<Exit>
  readonly #pid: number
  readonly #output: Tail
  readonly #pipes: readonly Readable[]
  readonly #release: () => void
  readonly #closed: Promise<unknown>
  #hasExited = false
  #groupGone = false

  /**
   * Starts a command.
   *
   * @param maxBytes how much of its output is kept, from the end
   * @throws Error when it cannot be started
   */
  static async spawn(command: PinnedCommand, maxBytes: number): Promise<Command> {
    const child = spawnPinned({ ...command, mergesOutput: true })
    // Before anything else: this process may be killed at any time.
    const release = child.pid === undefined ? undefined : guardGroup(child.pid)
    const spawned = once(child, 'spawn')
    const running = release && new Command(child, maxBytes, release)
    await spawned
    if (!running) throw new Error('it has no pid')
    return running
  }

  private constructor(child: ChildProcess, maxBytes: number, release: () => void) {
    const { pid, stdin, stdout, stderr } = child
    if (pid === undefined || !stdin || !stdout || !stderr) throw new Error('it has no pipes')
    this.#pid = pid
    this.#release = release
    this.#output = new Tail(maxBytes)
    this.#pipes = [stdout, stderr]
    for (const emitter of [child, stdin, stdout, stderr]) emitter.on('error', () => {})
    for (const pipe of this.#pipes) pipe.on('data', (chunk: Buffer) => this.#output.push(chunk))
    stdin.end()
    this.#closed = new Promise((resolve) => child.once('close', resolve))
    this.exited = new Promise<Exit>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }))
    }).then(async (exit) => {
      await settlesWithin(this.#closed, PIPE_GRACE_MS)
      this.#hasExited = true
      // On Windows, the pid of a dead process does not lead to its children, and may soon belong to another process.
      if (process.platform === 'win32') this.#forgetGroup()
      return exit
    })
  }

  /** Whether the command has exited, and its output is read. */
  get hasExited(): boolean {
    return this.#hasExited
  }

  /** The kept output, in whole characters. `truncated`: whether it had more. */
  get output(): { text: string; truncated: boolean } {
    const { bytes, cut } = this.#output
    const decoder = new StringDecoder('utf8')
    // The rest of the last character may not have arrived yet.
    return { text: decoder.write(bytes) + (this.#hasExited ? decoder.end() : ''), truncated: cut > 0 }
  }

  /** Kills the command and its whole group. */
  kill(): void {
    if (!this.#groupGone) signalGroup(this.#pid, 'SIGKILL')
  }

  /** The same; resolves when the command is gone. */
  async end(): Promise<void> {
    this.kill()
    await this.exited
    this.#forgetGroup()
    if (await settlesWithin(this.#closed, PIPE_GRACE_MS)) return
    // A process that left the group holds them open.
    for (const pipe of this.#pipes) pipe.destroy()
    await this.#closed
  }

  #forgetGroup(): void {
    if (!this.#groupGone) this.#release()
    this.#groupGone = true
  }
}
