import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { signalGroup, sweepDir } from './sweep.cjs'

/** Jest may load this module several times in one process: they share one reaper, which hangs here. */
const SLOT = Symbol.for('jest-environment-acp.reaper')
const host: NodeJS.Process & { [SLOT]?: Reaper } = process

/**
 * Sees to it that a child's process group does not outlive this process, however this process ends.
 * Call it in the same tick as the spawn, and `release` as soon as the group is dead: its id may be used again.
 *
 * @returns release
 */
export function guardGroup(pid: number): () => void {
  return reaper().guard('group', pid)
}

/**
 * The same for a directory; call it before the directory is made.
 *
 * @returns release
 */
export function guardDir(dir: string): () => void {
  return reaper().guard('dir', dir)
}

function reaper(): Reaper {
  host[SLOT] ??= new Reaper()
  return host[SLOT]
}

/** How long the second process waits for work: scenarios follow each other, but a watching Jest may idle for hours. */
const IDLE_MS = 1000

type Held = ['group', number] | ['dir', string]

/**
 * What is to be cleared up when this process ends. It does so itself on exit, on a signal, and when the IPC channel
 * to its parent breaks (a Jest worker does not die with Jest). For the end that runs no handler, SIGKILL,
 * a second process gets every notice, and reads the end of its pipe.
 */
class Reaper {
  readonly #held = new Map<string, Held>()
  #pipe: Socket | undefined
  #idle: NodeJS.Timeout | undefined

  constructor() {
    process.once('exit', () => this.#clearUp())
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => {
        this.#clearUp()
        // Our listener is gone by now, so that the signal does what it would have done without us.
        process.kill(process.pid, signal)
      })
    }
  }

  guard(...held: Held): () => void {
    if (this.#held.size === 0 && process.connected) process.once('disconnect', exitAsOrphan)
    this.#held.set(held.join(), held)
    this.#tell('add', held)
    return () => this.#release(held)
  }

  #release(held: Held): void {
    if (!this.#held.delete(held.join())) return
    // A listener keeps the channel open, and with it a worker that has nothing left to do.
    if (this.#held.size === 0) process.off('disconnect', exitAsOrphan)
    this.#tell('delete', held)
  }

  #clearUp(): void {
    const all = [...this.#held.values()]
    for (const held of all.filter(([kind]) => kind === 'group')) this.#clear(held)
    for (const held of all.filter(([kind]) => kind === 'dir')) this.#clear(held)
  }

  /** What fails here stays with the second process, which tries again. */
  #clear(held: Held): void {
    try {
      if (held[0] === 'group') signalGroup(held[1], 'SIGKILL')
      else sweepDir(held[1])
      this.#release(held)
    } catch {}
  }

  /** The kernel has the line when this returns: Node tries a pipe's write at once. */
  #tell(op: 'add' | 'delete', held: Held): void {
    clearTimeout(this.#idle)
    if (this.#pipe) this.#pipe.write(print(op, held))
    else if (op === 'add') this.#pipe = this.#start()
    if (this.#held.size === 0) this.#idle = setTimeout(() => this.#dismiss(), IDLE_MS).unref()
  }

  #dismiss(): void {
    this.#pipe?.end()
    this.#pipe = undefined
  }

  /**
   * Starts the second process in a session of its own, where no Ctrl-C reaches it.
   * It keeps no process alive, and `--detectOpenHandles` has nothing to report.
   */
  #start(): Socket {
    const child = spawn(process.execPath, [join(__dirname, 'reaper-process.cjs')], {
      cwd: '/',
      env: process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot } : {},
      detached: true,
      windowsHide: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    const pipe = child.stdin
    if (!(pipe instanceof Socket)) throw new Error('the pipe to the reaper process is not a socket')
    const forget = () => {
      if (this.#pipe === pipe) this.#pipe = undefined
    }
    child.on('error', forget)
    child.on('exit', forget)
    pipe.on('error', forget)
    child.unref()
    pipe.unref()
    for (const held of this.#held.values()) pipe.write(print('add', held))
    return pipe
  }
}

/** In a worker, the parent has died. The exit runs the handler that clears up. */
function exitAsOrphan(): void {
  process.exit(1)
}

function print(op: 'add' | 'delete', held: Held): string {
  return `${JSON.stringify([op, ...held])}\n`
}
