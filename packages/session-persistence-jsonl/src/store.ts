import {
  closeSync,
  existsSync,
  fdatasync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  type ParsedLog,
  parseHeader,
  parseSessionLog,
  printLine,
  type SessionHeader,
  splitTornTail,
} from '@acp-snapshot/session'
import { LogBusyError, type LogWriter } from '@acp-snapshot/session-persistence/writer'
import { hasCode } from './error-code.ts'
import { lock } from './lock.ts'

const SUFFIX = '.jsonl'

/** The file of a session under a root. An id may hold any character: what a file name cannot is escaped. */
export function logFile(root: string, id: string): string {
  return join(root, `${encodeURIComponent(id)}${SUFFIX}`)
}

/** Starts a new log; its header is written at once. @throws LogBusyError when there is one of this id */
export function createLog(root: string, header: SessionHeader): LogWriter {
  mkdirSync(root, { recursive: true })
  const file = logFile(root, header.id)
  const release = lock(file)
  try {
    const writer = openWriter(file, 'ax', release)
    writer.write(printLine(header))
    return writer
  } catch (error) {
    release()
    throw hasCode(error, 'EEXIST') ? new LogBusyError(`${file} exists already`) : error
  }
}

/**
 * Opens a log to go on with it. A torn last line is cut off the file; nothing else is.
 *
 * @returns undefined when there is no log of this id
 * @throws SessionLogError for a log that is broken in another way, LogBusyError when somebody writes it
 */
export function openLog(root: string, id: string): { log: ParsedLog; writer: LogWriter } | undefined {
  const file = logFile(root, id)
  if (!existsSync(file)) return undefined
  const release = lock(file)
  try {
    const text = readFileSync(file, 'utf8')
    const { whole, torn } = splitTornTail(text)
    const log = parseSessionLog(whole, file)
    if (log.header.id !== id)
      throw new Error(`${file}: expected the log of session ${id}, got that of ${log.header.id}`)
    if (torn !== '') truncateSync(file, Buffer.byteLength(whole))
    return { log, writer: openWriter(file, 'a', release) }
  } catch (error) {
    release()
    throw error
  }
}

/** The headers of all logs under a root, oldest first. A file whose first line is no header is refused. */
export function listLogs(root: string): SessionHeader[] {
  const names = existsSync(root) ? readdirSync(root) : []
  return names
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => join(root, name))
    .map((file) => parseHeader(readFileSync(file, 'utf8').split('\n', 1)[0] ?? '', file))
    .sort((a, b) => a.createdAt - b.createdAt)
}

function openWriter(file: string, flags: 'a' | 'ax', release: () => void): LogWriter & { write(text: string): void } {
  const fd = openSync(file, flags)
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
