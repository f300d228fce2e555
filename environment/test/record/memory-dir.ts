import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes a temp directory, in memory where there is such a place: fsync takes no time there, and so more of a commit is renames. */
export function makeMemoryDir(prefix: string): string {
  return fs.mkdtempSync(join(fs.existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), prefix))
}
