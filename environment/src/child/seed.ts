import * as fs from 'node:fs'
import { join } from 'node:path'

/**
 * Copies the content of a directory into another, which must exist, over what is in it. Files and directories keep the
 * modes that a checkout can have, see `portableMode`. Symlinks stay symlinks with the same target; `fs.cpSync` rewrites
 * relative targets, or differs between Node versions.
 *
 * @throws Error for a seed that does not exist or is a symlink, and for a socket, pipe or device in it
 */
export function copySeed(seed: string, target: string): void {
  if (!fs.lstatSync(seed, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`cannot copy ${seed} into the run: it is not a directory`)
  }
  for (const entry of fs.readdirSync(seed, { withFileTypes: true })) {
    copyEntry(entry, join(seed, entry.name), join(target, entry.name))
  }
}

function copyEntry(entry: fs.Dirent, from: string, to: string): void {
  clearWay(entry, to)
  if (entry.isSymbolicLink()) {
    fs.symlinkSync(fs.readlinkSync(from), to)
    return
  }
  if (entry.isDirectory()) {
    copySeed(from, to)
  } else if (entry.isFile()) {
    fs.copyFileSync(from, to)
  } else {
    throw new Error(`cannot copy ${from} into the run: it is neither file, directory nor symlink`)
  }
  // Last: nothing can be copied into a read-only directory.
  fs.chmodSync(to, portableMode(fs.lstatSync(from).mode))
}

/** Removes what an earlier seed left at a path, except that directories are merged; never writes through a link. */
function clearWay(entry: fs.Dirent, to: string): void {
  const there = fs.lstatSync(to, { throwIfNoEntry: false })
  const merges = entry.isDirectory() && there?.isDirectory()
  if (there && !merges) fs.rmSync(to, { recursive: true, force: true })
  if (merges) fs.chmodSync(to, 0o700)
  else if (entry.isDirectory()) fs.mkdirSync(to)
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
