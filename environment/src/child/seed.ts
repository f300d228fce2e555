import * as fs from 'node:fs'
import { join } from 'node:path'

/**
 * Copies the content of a directory into another, which must exist. Files and directories keep the modes that a checkout
 * can have, see `portableMode`. Symlinks stay symlinks with the same target; `fs.cpSync` rewrites relative targets, or
 * differs between Node versions.
 *
 * @throws Error for a seed that does not exist or is a symlink, and for a socket, pipe or device in it
 */
export function copySeed(seed: string, target: string): void {
  if (!fs.lstatSync(seed, { throwIfNoEntry: false })?.isDirectory()) {
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
  // Last: nothing can be copied into a read-only directory.
  fs.chmodSync(to, portableMode(fs.lstatSync(from).mode))
}

/**
 * The owner's bits for everyone, except that only the owner may write: as if checked out with the umask 022, whatever
 * the umask was. Setuid, setgid and sticky bits are dropped.
 */
function portableMode(mode: number): number {
  const owner = mode & 0o700
  const readAndRun = owner & 0o500
  return owner | (readAndRun >> 3) | (readAndRun >> 6)
}
