import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { isRunning, thisProcess } from './process-identity.ts'

/** A log that another process is writing, or that exists already. */
export class LogBusyError extends Error {
  override name = 'LogBusyError'
}

const TRIES = 20
const LONGEST_PAUSE_MS = 10

/**
 * Takes the lock beside a log: the directory `<log>.lock`, which holds one empty file, the claim of the writer. The
 * claim's name says which process made it, so there is no moment at which a claim exists and says nothing, and a name
 * is never used twice, so that removing a dead process's claim cannot remove another's.
 *
 * Every process first makes its claim and then looks for others. Of two at once, at least one sees the other. A process
 * that sees a running one's claim takes its own back; two that meet so try again after random pauses.
 * The lock holds among the processes of one machine (on Linux, of one PID namespace).
 *
 * @returns the release
 * @throws LogBusyError when a running process holds it
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

/** Makes the claim, and gives its name: `<process>.<random>`. While it exists, its directory cannot be removed. */
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
      // The last holder has just removed the directory.
      else if (!hasCode(error, 'ENOENT')) throw error
    }
  }
}

/** The claim of another process that runs, or of this one. Claims of dead processes are removed on the way. */
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
    // Another's claim is in it, or another has removed it.
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].some((code) => hasCode(error, code))) throw error
  }
}

/** It may be gone already, or be a directory by now. */
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
