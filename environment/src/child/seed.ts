import * as fs from 'node:fs'
import { join } from 'node:path'

/**
 * Copies the content of a directory into another, which exists. Files and directories keep the modes that a checkout
 * can have, see `portableMode`; symlinks stay symlinks with the target they have. (`fs.cpSync` rewrites relative targets, or differs by Node version.)
 *
 * @throws Error for a seed that is not there or is a symlink, and for a socket, pipe or device in it
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
  // Last, since a read-only directory could not be filled.
  fs.chmodSync(to, portableMode(fs.lstatSync(from).mode))
}

/**
 * The owner's bits, without write for anybody else: what the umask 022 makes of a file, whatever the umask was when the
 * seed was checked out. Setuid, setgid and sticky bits are dropped.
 */
function portableMode(mode: number): number {
  const owner = mode & 0o700
  const readAndRun = owner & 0o500
  return owner | (readAndRun >> 3) | (readAndRun >> 6)
}
