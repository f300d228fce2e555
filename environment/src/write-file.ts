import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Writes a file whole or not at all: a temp file beside it, then a rename. */
export function writeWhole(file: string, text: string): void {
  const temp = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`)
  try {
    writeFileSync(temp, text)
    renameSync(temp, file)
  } finally {
    rmSync(temp, { force: true })
  }
}
