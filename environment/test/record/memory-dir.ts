import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Makes a temp directory, in memory if possible. There fsync takes no time, so renames take a larger part of each
 * commit.
 */
export function makeMemoryDir(prefix: string): string {
  return fs.mkdtempSync(join(fs.existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), prefix))
}
