import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { isRunning, thisProcess } from './process-identity.ts'

/** A log that another process is writing, or that already exists. */
export class LogBusyError extends Error {
  override name = 'LogBusyError'
}

const TRIES = 20
const LONGEST_PAUSE_MS = 10

/**
 * Takes the lock for a log: the directory `<log>.lock` with one empty file, the writer's claim. The claim's name
 * identifies the process that created it, so a claim never exists without an owner. Names are unique, so removing a dead
 * process's claim cannot remove another one.
 *
 * A process first creates its claim and then looks for others. When two do so at once, at least one sees the other. A
 * process that sees the claim of a running process withdraws its own, and tries again after a random pause.
 * The lock works between processes on one machine (on Linux, in one PID namespace).
 *
 * @returns a function that releases the lock
 * @throws LogBusyError when a running process holds the lock
 */
export function lock(logFile: string): () => void {
  const dir = `${logFile}.lock`
  for (let left = TRIES; ; left--) {
    const mine = claim(dir)
    const other = findOther(dir, mine)
    if (other === undefined) return () => withdraw(dir, mine)
    withdraw(dir, mine)
    if (left === 0) throw new LogBusyError(`${logFile} is being written by process ${Number.parseInt(other, 10)}`)
    pause(Math.random() * LONGEST_PAUSE_MS)
  }
}

/** Creates a claim and returns its name: `<process>.<random>`. While it exists, its directory cannot be removed. */
function claim(dir: string): string {
  const name = `${thisProcess()}.${randomBytes(8).toString('hex')}`
  for (;;) {
    try {
      mkdirSync(dir)
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
    }
    try {
      closeSync(openSync(join(dir, name), 'wx'))
      return name
    } catch (error) {
      if (hasCode(error, 'ENOTDIR')) removeFile(dir)
      // The previous holder has just removed the directory.
      else if (!hasCode(error, 'ENOENT')) throw error
    }
  }
}

/** Another claim of a running process (possibly this one). Removes the claims of dead processes. */
function findOther(dir: string, mine: string): string | undefined {
  return readdirSync(dir).find((name) => {
    if (name === mine) return false
    const [identity = ''] = name.split('.')
    if (isRunning(identity)) return true
    removeFile(join(dir, name))
    return false
  })
}

function withdraw(dir: string, mine: string): void {
  removeFile(join(dir, mine))
  try {
    rmdirSync(dir)
  } catch (error) {
    // It contains another claim, or another process has removed it.
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].some((code) => hasCode(error, code))) throw error
  }
}

/** The file may already be gone, or may have become a directory. */
function removeFile(file: string): void {
  try {
    unlinkSync(file)
  } catch (error) {
    if (!['ENOENT', 'EISDIR', 'EPERM'].some((code) => hasCode(error, code))) throw error
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code
}
