import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { signalGroup, sweepDir } from './sweep.cjs'

/** Jest may load this module several times in one process. The copies share this reaper. */
const SLOT = Symbol.for('jest-environment-acp.reaper')
const host: NodeJS.Process & { [SLOT]?: Reaper } = process

/**
 * Makes sure that a child's process group does not outlive this process, however this process ends.
 * Call it synchronously after `spawn()`, and `release` as soon as the group is dead: the system may reuse its id.
 *
 * @returns release
 */
export function guardGroup(pid: number): () => void {
  return reaper().guard('group', pid)
}

/**
 * The same for a directory. Call it before you create the directory.
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

/** How long the second process stays without work: scenarios follow each other, but Jest in watch mode may idle for hours. */
const IDLE_MS = 1000

type Held = ['group', number] | ['dir', string]

/**
 * Holds what must be cleaned up when this process ends. It cleans up on exit, on a signal, and when the IPC channel to
 * its parent breaks (a Jest worker does not die with Jest). SIGKILL runs no handler, so a second process gets a copy of
 * the list, and cleans up at the end of its pipe.
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
        // This listener is removed by now, so the signal has its usual effect.
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
    // A listener would keep the channel open, and so an idle worker alive.
    if (this.#held.size === 0) process.off('disconnect', exitAsOrphan)
    this.#tell('delete', held)
  }

  #clearUp(): void {
    const all = [...this.#held.values()]
    for (const held of all.filter(([kind]) => kind === 'group')) this.#clear(held)
    for (const held of all.filter(([kind]) => kind === 'dir')) this.#clear(held)
  }

  /** When this fails, the second process tries again. */
  #clear(held: Held): void {
    try {
      if (held[0] === 'group') signalGroup(held[1], 'SIGKILL')
      else sweepDir(held[1])
      this.#release(held)
    } catch {}
  }

  /** The kernel has the line when this returns: Node writes to a pipe immediately. */
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
   * Starts the second process in its own session, where Ctrl-C does not reach it.
   * It does not keep this process alive, and `--detectOpenHandles` does not report it.
   */
  #start(): Socket {
    const child = spawn(process.execPath, [require.resolve('./reaper-process.cjs')], {
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

/** The parent of this worker has died. The exit handler cleans up. */
function exitAsOrphan(): void {
  process.exit(1)
}

function print(op: 'add' | 'delete', held: Held): string {
  return `${JSON.stringify([op, ...held])}\n`
}
