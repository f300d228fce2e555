import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The directory beside the scenarios in which a write is made ready. */
export const STAGING = '.acp-staging-'
/** A staging directory that is older belongs to nobody: a write takes milliseconds. */
const STALE_MS = 60_000

/**
 * Writes files of a scenario together, or not at all. They are made ready in a directory beside the scenario, then a
 * process of its own renames them into place, so that not even a SIGKILL of this one leaves a mix of old and new.
 *
 * @param files the new text of each file, by name; `undefined` removes the file
 * @throws Error when the files could not be put in place
 */
export function commitFiles(dir: string, files: ReadonlyMap<string, string | undefined>): void {
  const staging = join(dirname(dir), `${STAGING}${basename(dir)}-${process.pid}`)
  removeStale(dirname(dir))
  try {
    mkdirSync(staging)
    for (const [name, text] of files) if (text !== undefined) writeFileSync(join(staging, name), text)
    const removed = [...files].flatMap(([name, text]) => (text === undefined ? [name] : []))
    const program = join(__dirname, 'commit-process.cjs')
    const options = { detached: true, windowsHide: true, encoding: 'utf8' } as const
    const { status, stderr, error } = spawnSync(process.execPath, [program, staging, dir, ...removed], options)
    if (error) throw error
    if (status !== 0) throw new Error(`the fixtures of ${basename(dir)} could not be written:\n${stderr}`)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

function removeStale(root: string): void {
  for (const name of readdirSync(root).filter((name) => name.startsWith(STAGING))) {
    const path = join(root, name)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat && Date.now() - stat.mtimeMs > STALE_MS) rmSync(path, { recursive: true, force: true })
  }
}
