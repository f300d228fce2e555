import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { STAGING } from '../scenario/files.ts'

/** A staging directory that is older belongs to nobody: a write takes milliseconds. */
const STALE_MS = 60_000

/**
 * Writes files of a scenario together, or not at all. A process of its own makes them ready in a directory beside the
 * scenario, then renames them into place: not even a SIGKILL of this one leaves a mix of old and new, or that directory.
 *
 * @param files the new text of each file, by name; `undefined` removes the file
 * @throws Error when the files could not be put in place
 */
export function commitFiles(dir: string, files: ReadonlyMap<string, string | undefined>): void {
  const staging = join(dirname(dir), `${STAGING}${basename(dir)}-${process.pid}`)
  removeStale(dirname(dir))
  try {
    putInPlace(staging, dir, files)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new Error(`the fixture ${basename(dir)} could not be written: ${problem}`, { cause: error })
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/** The files go over a pipe: a process that gets a part of them writes none. */
function putInPlace(staging: string, dir: string, files: ReadonlyMap<string, string | undefined>): void {
  const program = join(__dirname, 'commit-process.cjs')
  const input = JSON.stringify([...files].map(([name, text]) => [name, text ?? null]))
  const options = { input, detached: true, windowsHide: true, encoding: 'utf8' } as const
  const { status, signal, stderr, error } = spawnSync(process.execPath, [program, staging, dir], options)
  if (error) throw error
  if (status !== 0) throw new Error(stderr || `the process that writes it died of ${signal}`)
}

function removeStale(root: string): void {
  for (const name of readdirSync(root).filter((name) => name.startsWith(STAGING))) {
    const path = join(root, name)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat && Date.now() - stat.mtimeMs > STALE_MS) rmSync(path, { recursive: true, force: true })
  }
}
