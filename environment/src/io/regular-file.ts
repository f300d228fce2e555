import * as fs from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'

/** A path that we refuse to read or write. The message names the path and says why. */
export class FileRefusedError extends Error {
  override name = 'FileRefusedError'
  readonly path: string
  /** Completes the sentence "the file …", as in `is a FIFO, not a regular file`. */
  readonly problem: string

  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`${path} ${problem}`, options)
    this.path = path
    this.problem = problem
  }
}

/** Limits for reading a file. */
interface FileLimits {
  /** A longer file is refused. */
  maxBytes: number
  /** A path that leads out of this directory, also through links, is refused. */
  within?: string | undefined
}

// Windows has neither flag, and no FIFOs in its file system.
const { O_RDONLY, O_WRONLY, O_CREAT, O_NONBLOCK = 0, O_NOCTTY = 0 } = fs.constants

/**
 * Reads a file that an agent or a checkout may have replaced with anything. It never blocks: it refuses a FIFO, a device,
 * a socket and a directory, and a file that is too long or outside of `within`.
 *
 * @returns `undefined` when nothing exists at the path
 * @throws FileRefusedError
 */
export function readRegularFile(path: string, limits: FileLimits): Buffer | undefined {
  const real = resolveInside(path, limits.within)
  if (real === undefined) return undefined
  const fd = open(real, path, O_RDONLY)
  if (fd === undefined) return undefined
  try {
    const { size } = requireRegular(fs.fstatSync(fd), path)
    requireInside(fd, path, limits.within)
    if (size > limits.maxBytes) throw tooLong(path, limits.maxBytes, size)
    return readAll(fd, path, limits.maxBytes)
  } finally {
    fs.closeSync(fd)
  }
}

/** The same, as UTF-8 text; invalid bytes become U+FFFD. */
export function readRegularText(path: string, limits: FileLimits): string | undefined {
  return readRegularFile(path, limits)?.toString('utf8')
}

/**
 * Writes a file that an agent may have replaced with anything, and creates missing directories.
 *
 * @param within a path that leads out of this directory, also through links, is refused
 * @throws FileRefusedError
 */
export function writeRegularFile(path: string, text: string, { within }: { within: string }): void {
  const parent = realDirectory(dirname(path), within)
  const file = join(parent, basename(path))
  const target = fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ? resolveInside(file, within) : file
  if (target === undefined) throw new FileRefusedError(path, 'is a symbolic link that leads nowhere')
  const stat = fs.statSync(target, { throwIfNoEntry: false })
  if (stat) requireRegular(stat, path)
  const fd = open(target, path, O_WRONLY | O_CREAT)
  if (fd === undefined) throw new FileRefusedError(path, 'lies in a directory that is gone')
  try {
    requireRegular(fs.fstatSync(fd), path)
    requireInside(fd, path, within)
    fs.ftruncateSync(fd)
    fs.writeFileSync(fd, text)
  } finally {
    fs.closeSync(fd)
  }
}

/** Creates a directory inside `within`, and returns its real path. */
function realDirectory(dir: string, within: string): string {
  const existing = nearestExisting(dir)
  const real = resolveInside(existing, within)
  if (real === undefined) throw new FileRefusedError(dir, 'is gone')
  if (existing === dir) return real
  const made = join(real, relative(existing, dir))
  try {
    fs.mkdirSync(made, { recursive: true })
  } catch (error) {
    throw new FileRefusedError(dir, `cannot be made: ${codeOf(error)}`, { cause: error })
  }
  return made
}

function nearestExisting(path: string): string {
  const above = dirname(path)
  return above === path || fs.lstatSync(path, { throwIfNoEntry: false }) ? path : nearestExisting(above)
}

/** The real path; `undefined` when nothing exists there. */
function resolveInside(path: string, within: string | undefined): string | undefined {
  let real: string
  try {
    real = fs.realpathSync.native(path)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    const problem = code === 'ELOOP' ? 'is a symbolic link that leads back to itself' : `cannot be read: ${code}`
    throw new FileRefusedError(path, problem, { cause: error })
  }
  if (within !== undefined && !isBelow(fs.realpathSync.native(within), real)) throw leadsOut(path, within)
  return real
}

/** Opens a regular file. It may have been replaced since the check, so the caller checks again. */
function open(real: string, path: string, flags: number): number | undefined {
  const stat = fs.statSync(real, { throwIfNoEntry: false })
  // Opening a device may already have an effect.
  if (stat) requireRegular(stat, path)
  else if ((flags & O_CREAT) === 0) return undefined
  try {
    return fs.openSync(real, flags | O_NONBLOCK | O_NOCTTY, 0o644)
  } catch (error) {
    throw new FileRefusedError(path, `cannot be opened: ${codeOf(error)}`, { cause: error })
  }
}

function requireRegular(stat: fs.Stats, path: string): fs.Stats {
  if (stat.isFile()) return stat
  throw new FileRefusedError(path, `is ${kindOf(stat)}, not a regular file`)
}

/** Checks on Linux where the open file is: a directory may have become a link since the check. */
function requireInside(fd: number, path: string, within: string | undefined): void {
  if (within === undefined || process.platform !== 'linux') return
  const opened = fs.readlinkSync(`/proc/self/fd/${fd}`)
  if (!isBelow(fs.realpathSync.native(within), opened)) throw leadsOut(path, within)
}

/** The file may grow during the read, and some files (in /proc) have no size. */
function readAll(fd: number, path: string, maxBytes: number): Buffer {
  const chunks: Buffer[] = []
  let total = 0
  for (;;) {
    const chunk = Buffer.allocUnsafe(64 * 1024)
    const read = fs.readSync(fd, chunk)
    if (read === 0) return Buffer.concat(chunks)
    total += read
    if (total > maxBytes) throw tooLong(path, maxBytes)
    chunks.push(chunk.subarray(0, read))
  }
}

function tooLong(path: string, maxBytes: number, size?: number): FileRefusedError {
  const got = size === undefined ? 'goes on' : `has ${size} bytes`
  return new FileRefusedError(path, `is too long: it ${got}, and at most ${maxBytes} bytes are read`)
}

function leadsOut(path: string, within: string): FileRefusedError {
  return new FileRefusedError(path, `leads out of ${within}`)
}

/** Whether a path is a directory, or lies in it. Both are absolute. */
export function isBelow(dir: string, path: string): boolean {
  const way = relative(dir, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function kindOf(stat: fs.Stats): string {
  if (stat.isDirectory()) return 'a directory'
  if (stat.isFIFO()) return 'a FIFO'
  if (stat.isSocket()) return 'a socket'
  return 'a device'
}

function codeOf(error: unknown): string {
  // Not `instanceof Error`: under Jest, an error of Node's own is of another realm.
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error)
}
