import { spawnSync } from 'node:child_process'
import { basename, dirname, join } from 'node:path'
import type { FixtureChanges } from '../guard/check-changes.ts'
import { recover } from '../io/journal.cjs'
import { STAGING } from '../scenario/files.ts'
import { UsageError } from '../usage-error.ts'

/**
 * Writes files of a scenario together, or not at all: a SIGKILL of any process leaves no mix of old and new, once
 * the next read has finished what was begun. They are written by a process of its own, so that a kill of this one alone
 * does not even cut the write off.
 *
 * @throws UsageError when the files could not be put in place
 */
export function commitFiles(dir: string, files: FixtureChanges): void {
  recover(dirname(dir), STAGING)
  try {
    putInPlace(dir, files)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new UsageError(`the fixture ${basename(dir)} could not be written: ${problem}`)
  }
}

/** The files go over a pipe: a process that gets a part of them writes none. */
function putInPlace(dir: string, files: FixtureChanges): void {
  const program = join(__dirname, 'commit-process.cjs')
  const input = JSON.stringify([...files].map(([path, content]) => [path, encode(content)]))
  const options = { input, detached: true, windowsHide: true, encoding: 'utf8' } as const
  const { status, signal, stderr, error } = spawnSync(process.execPath, [program, dir, STAGING], options)
  if (error) throw error
  if (status !== 0) throw new Error(stderr || `the process that writes it died of ${signal}`)
}

/** As the process that writes them reads it: `null` removes a file. */
function encode(content: string | Uint8Array | undefined): string | { base64: string } | null {
  if (content === undefined || typeof content === 'string') return content ?? null
  return { base64: Buffer.from(content).toString('base64') }
}
