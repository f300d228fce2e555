import { closeSync, constants, fstatSync, lstatSync, openSync, type Stats } from 'node:fs'

// Windows has neither flag, and no FIFOs in its file system.
const { O_RDONLY, O_RDWR, O_APPEND, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants

/**
 * Opens an existing file. Never blocks, and follows no symbolic link.
 *
 * @returns the descriptor
 * @throws Error naming the file and its type, when it is not a regular file
 */
export function openRegular(file: string, use: 'read' | 'append'): number {
  // Opening a device can have side effects, so check before opening; check again after, since the file may have changed.
  requireRegular(lstatSync(file), file)
  const fd = openSync(file, (use === 'read' ? O_RDONLY : O_RDWR | O_APPEND) | O_NONBLOCK | O_NOFOLLOW)
  try {
    requireRegular(fstatSync(fd), file)
    return fd
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

function requireRegular(stat: Stats, file: string): void {
  if (!stat.isFile()) throw new Error(`${file}: expected a session log, got ${kindOf(stat)}; move it away`)
}

function kindOf(stat: Stats): string {
  if (stat.isDirectory()) return 'a directory'
  if (stat.isSymbolicLink()) return 'a symbolic link'
  if (stat.isFIFO()) return 'a FIFO'
  return stat.isSocket() ? 'a socket' : 'a device'
}
