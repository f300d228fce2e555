import * as fs from 'node:fs'
import { join } from 'node:path'
import { FileRefusedError, readRegularText } from '../io/regular-file.ts'
import { StepError } from '../scenario-error.ts'
import { type LogFormat, LogFormatError } from './log-format.ts'
import { type HarvestedLog, type OrderHints, orderLogs } from './order-logs.ts'

/** Longer than any log that a project would commit. */
const MAX_BYTES = 256 * 1024 * 1024

/**
 * Reads the logs that the agent wrote below the sessions root: first the sessions of the script in the order of their
 * creation, then the others (children) in an order that is the same in every run.
 *
 * @throws StepError for a log that cannot be read: the agent was asked to close and has exited. The file is named by its
 * path below the root, and nothing of a file that lies elsewhere is quoted
 */
export function harvestLogs(root: string, format: LogFormat, hints: OrderHints): HarvestedLog[] {
  if (!format.exists) return []
  const names = listFiles(root).filter((name) => format.isLog(name))
  const logs = names.flatMap((name): HarvestedLog[] => {
    const text = readLog(root, name)
    return text === undefined ? [] : [{ text, log: parseLog(text, name, format) }]
  })
  return orderLogs(logs, format, hints)
}

function parseLog(text: string, name: string, format: LogFormat): HarvestedLog['log'] {
  try {
    return format.parse(text)
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error
    throw unreadable(`${name}${error.line === undefined ? '' : `:${error.line}`}: ${error.message}`)
  }
}

function readLog(root: string, name: string): string | undefined {
  try {
    return readRegularText(join(root, name), { maxBytes: MAX_BYTES, within: root })
  } catch (error) {
    if (!(error instanceof FileRefusedError)) throw error
    throw unreadable(`${name} ${error.problem.replaceAll(root, 'the sessions root')}`)
  }
}

/** The files below the root, as paths with `/`. No link to a directory is followed. */
function listFiles(root: string): string[] {
  const stat = fs.lstatSync(root, { throwIfNoEntry: false })
  if (!stat) return []
  if (!stat.isDirectory()) throw unreadable('no directory where the sessions root was')
  return listBelow(root, '').sort()
}

function listBelow(root: string, dir: string): string[] {
  return readDir(root, dir).flatMap((entry) => {
    const name = dir === '' ? entry.name : `${dir}/${entry.name}`
    return entry.isDirectory() ? listBelow(root, name) : [name]
  })
}

function readDir(root: string, dir: string): fs.Dirent[] {
  try {
    return fs.readdirSync(join(root, dir), { withFileTypes: true })
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error)
    throw unreadable(`${dir === '' ? 'the sessions root' : `${dir}/`} cannot be listed: ${code}`)
  }
}

function unreadable(got: string): StepError {
  return new StepError('session logs that can be read', got)
}
