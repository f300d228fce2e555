import * as fs from 'node:fs'
import { join } from 'node:path'

/**
 * Copies the content of a directory into another, which exists. Files and directories keep their modes,
 * symlinks stay symlinks with the target they have. (`fs.cpSync` rewrites relative targets, or differs by Node version.)
 *
 * @throws Error for a seed that is not there, and for a socket, pipe or device in it
 */
export function copySeed(seed: string, target: string): void {
  if (!fs.statSync(seed, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`cannot copy ${seed} into the agent's working directory: it is not a directory`)
  }
  for (const entry of fs.readdirSync(seed, { withFileTypes: true })) {
    copyEntry(entry, join(seed, entry.name), join(target, entry.name))
  }
}

function copyEntry(entry: fs.Dirent, from: string, to: string): void {
  if (entry.isSymbolicLink()) {
    fs.symlinkSync(fs.readlinkSync(from), to)
    return
  }
  if (entry.isDirectory()) {
    fs.mkdirSync(to)
    copySeed(from, to)
  } else if (entry.isFile()) {
    fs.copyFileSync(from, to)
  } else {
    throw new Error(`cannot copy ${from} into the agent's working directory: it is neither file, directory nor symlink`)
  }
  // Last, since a read-only directory could not be filled.
  fs.chmodSync(to, fs.statSync(from).mode)
}
