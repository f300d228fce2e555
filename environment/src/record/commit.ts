import { spawnSync } from 'node:child_process'
import { basename, dirname } from 'node:path'
import type { FixtureChanges } from '../guard/check-changes.ts'
import { recover } from '../io/journal.cjs'
import { STAGING } from '../scenario/files.ts'
import { UsageError } from '../usage-error.ts'

/**
 * Writes all files of a scenario, or none. After a SIGKILL, the next read completes the write, so no mix of old and new
 * files is left. A separate process writes them, so that killing only this process does not interrupt the write.
 *
 * @throws UsageError when the files could not be written
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

/** Sends the files over a pipe: if only a part arrives, the process writes nothing. */
function putInPlace(dir: string, files: FixtureChanges): void {
  const program = require.resolve('./commit-process.cjs')
  const input = JSON.stringify([...files].map(([path, content]) => [path, encode(content)]))
  const options = { input, detached: true, windowsHide: true, encoding: 'utf8' } as const
  const { status, signal, stderr, error } = spawnSync(process.execPath, [program, dir, STAGING], options)
  if (error) throw error
  if (status !== 0) throw new Error(stderr || `the writing process was killed by ${signal}`)
}

/** Encodes a content for `commit-process.cjs`; `null` removes the file. */
function encode(content: string | Uint8Array | undefined): string | { base64: string } | null {
  if (content === undefined || typeof content === 'string') return content ?? null
  return { base64: Buffer.from(content).toString('base64') }
}
