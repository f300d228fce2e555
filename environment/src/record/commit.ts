import { spawnSync } from 'node:child_process'
import { basename, dirname, join } from 'node:path'
import { recover } from '../io/journal.cjs'
import { STAGING } from '../scenario/files.ts'
import { UsageError } from '../usage-error.ts'

/**
 * Writes files of a scenario together, or not at all: a SIGKILL of any process leaves no mix of old and new, once
 * the next read has finished what was begun. They are written by a process of its own, so that a kill of this one alone
 * does not even cut the write off.
 *
 * @param files the new text of each file, by name; `undefined` removes the file
 * @throws UsageError when the files could not be put in place
 */
export function commitFiles(dir: string, files: ReadonlyMap<string, string | undefined>): void {
  recover(dirname(dir), STAGING)
  try {
    putInPlace(dir, files)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new UsageError(`the fixture ${basename(dir)} could not be written: ${problem}`)
  }
}

/** The files go over a pipe: a process that gets a part of them writes none. */
function putInPlace(dir: string, files: ReadonlyMap<string, string | undefined>): void {
  const program = join(__dirname, 'commit-process.cjs')
  const input = JSON.stringify([...files].map(([name, text]) => [name, text ?? null]))
  const options = { input, detached: true, windowsHide: true, encoding: 'utf8' } as const
  const { status, signal, stderr, error } = spawnSync(process.execPath, [program, dir, STAGING], options)
  if (error) throw error
  if (status !== 0) throw new Error(stderr || `the process that writes it died of ${signal}`)
}
