import {
  closeSync,
  existsSync,
  fdatasync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LogWriter } from '@acp-snapshot/agent'
import {
  decodeSessionLog,
  type ParsedLog,
  parseHeader,
  parseSessionLog,
  printLine,
  type SessionHeader,
  splitTornTail,
} from '@acp-snapshot/session'
import { LogBusyError, lock } from './lock.ts'
import { openRegular } from './open-regular.ts'

const SUFFIX = '.jsonl'

/** The file of a session under a root. The id is escaped, since it may contain any character. */
export function logFile(root: string, id: string): string {
  return join(root, `${encodeURIComponent(id)}${SUFFIX}`)
}

/**
 * Starts a new log. The file appears together with its header, since a log without one cannot be read.
 *
 * @throws LogBusyError when a log with this id exists
 */
export function createLog(root: string, header: SessionHeader): LogWriter {
  mkdirSync(root, { recursive: true })
  const file = logFile(root, header.id)
  const release = lock(file)
  const made = `${file}.new`
  let fd: number | undefined
  try {
    if (lstatSync(file, { throwIfNoEntry: false })) throw new LogBusyError(`${file} already exists`)
    // Left by a killed process: the lock guarantees that nobody else is using it.
    rmSync(made, { force: true })
    fd = openSync(made, 'ax')
    const writer = openWriter(fd, release)
    writer.write(printLine(header))
    renameSync(made, file)
    return writer
  } catch (error) {
    if (fd !== undefined) {
      closeSync(fd)
      rmSync(made, { force: true })
    }
    release()
    throw error
  }
}

/**
 * Opens a log to continue it. Once the rest has been read, a torn last line is cut off the file.
 *
 * @returns undefined when no log has this id
 * @throws SessionLogError for a log that is invalid in any other way, LogBusyError when another process is writing it, and
 * Error when it is not a regular file
 */
export function openLog(root: string, id: string): { log: ParsedLog; writer: LogWriter } | undefined {
  const file = logFile(root, id)
  // Before the lock, which would create a directory for a log that does not exist.
  if (!lstatSync(file, { throwIfNoEntry: false })) return undefined
  const release = lock(file)
  let fd: number | undefined
  try {
    fd = openRegular(file, 'append')
    const { whole, torn } = splitTornTail(readFileSync(fd))
    const log = parseSessionLog(decodeSessionLog(whole, file), file)
    if (log.header.id !== id)
      throw new Error(`${file}: expected the log of session ${id}, got the log of ${log.header.id}`)
    if (torn.length > 0) ftruncateSync(fd, whole.length)
    return { log, writer: openWriter(fd, release) }
  } catch (error) {
    if (fd !== undefined) closeSync(fd)
    release()
    throw error
  }
}

/** The headers of all logs under a root, oldest first. @throws SessionLogError for a file without a header */
export function listLogs(root: string): SessionHeader[] {
  const names = existsSync(root) ? readdirSync(root) : []
  return names
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => join(root, name))
    .map(readHeader)
    .sort((a, b) => a.createdAt - b.createdAt)
}

function readHeader(file: string): SessionHeader {
  const fd = openRegular(file, 'read')
  try {
    const bytes = readFileSync(fd)
    const end = bytes.indexOf('\n')
    return parseHeader(decodeSessionLog(end === -1 ? bytes : bytes.subarray(0, end), file), file)
  } finally {
    closeSync(fd)
  }
}

function openWriter(fd: number, release: () => void): LogWriter & { write(text: string): void } {
  const sync = promisify(fdatasync)
  let open = true
  const letGo = (): void => {
    closeSync(fd)
    release()
  }
  const write = (text: string): void => {
    const bytes = Buffer.from(text)
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
  }
  return {
    write,
    append: (event) => write(printLine(event)),
    flush: () => sync(fd),
    close: async () => {
      if (!open) return
      open = false
      try {
        await sync(fd)
      } finally {
        letGo()
      }
    },
    abandon: () => {
      if (!open) return
      open = false
      letGo()
    },
  }
}
