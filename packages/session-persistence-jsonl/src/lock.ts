import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { LogBusyError } from '@acp-snapshot/session-persistence/writer'
import { hasCode } from './error-code.ts'

/**
 * Takes the lock beside a log: a file that holds the writer's process id. One that a dead process left is taken over.
 *
 * @returns the release
 * @throws LogBusyError when a living process holds it
 */
export function lock(logFile: string): () => void {
  const file = `${logFile}.lock`
  const mine = `${process.pid}\n`
  while (!tryCreate(file, mine)) {
    const holder = readHolder(file)
    if (holder === undefined) continue
    if (isAlive(holder)) throw new LogBusyError(`${logFile} is being written by process ${holder}`)
    removeStale(file, holder)
  }
  return () => rmSync(file, { force: true })
}

function tryCreate(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/** The holder's process id; 0 when the file says nothing readable, `undefined` when it is gone. */
function readHolder(file: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || 0
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function isAlive(pid: number): boolean {
  if (pid === 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

/** Moves the stale lock away first: of two that find it, only one does, and a new lock put there meanwhile goes back. */
function removeStale(file: string, holder: number): void {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return
    throw error
  }
  if (readHolder(aside) === holder) rmSync(aside)
  else renameSync(aside, file)
}
