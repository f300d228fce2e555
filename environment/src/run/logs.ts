import * as fs from 'node:fs'
import { join } from 'node:path'
import { type ParsedLog, parseSessionLog } from '@acp-snapshot/session'
import { FileRefusedError, readRegularText } from '../io/regular-file.ts'
import { StepError } from './error.ts'
import { type OrderHints, orderLogs } from './order-logs.ts'

/** A log as the agent left it. */
export interface HarvestedLog {
  text: string
  parsed: ParsedLog
}

/** Longer than any log that a project would commit. */
const MAX_BYTES = 256 * 1024 * 1024

/**
 * Reads the logs that the agent persisted, wherever under the sessions root: the sessions that the script made in the
 * order of their making, then the others (children) in an order that is the same in every run.
 *
 * @throws StepError for a log that cannot be read: the agent was asked to close and has exited. The file is named by its
 * path below the root, and nothing of a file that lies elsewhere is quoted
 */
export function harvestLogs(root: string, hints: OrderHints): HarvestedLog[] {
  const logs = listLogs(root).flatMap((name): HarvestedLog[] => {
    const text = readLog(root, name)
    if (text === undefined) return []
    try {
      return [{ text, parsed: parseSessionLog(text, name) }]
    } catch (error) {
      throw unreadable(error instanceof Error ? error.message : String(error))
    }
  })
  return orderLogs(logs, hints)
}

function readLog(root: string, name: string): string | undefined {
  try {
    return readRegularText(join(root, name), { maxBytes: MAX_BYTES, within: root })
  } catch (error) {
    if (!(error instanceof FileRefusedError)) throw error
    throw unreadable(`${name} ${error.problem.replaceAll(root, 'the sessions root')}`)
  }
}

/** The names of the logs, as paths below the root. No link to a directory is followed. */
function listLogs(root: string): string[] {
  const stat = fs.lstatSync(root, { throwIfNoEntry: false })
  if (!stat) return []
  if (!stat.isDirectory()) throw unreadable('no directory where the sessions root was')
  return listBelow(root, '').sort()
}

function listBelow(root: string, dir: string): string[] {
  return readDir(root, dir).flatMap((entry) => {
    const name = dir === '' ? entry.name : `${dir}/${entry.name}`
    if (entry.isDirectory()) return listBelow(root, name)
    return name.endsWith('.jsonl') ? [name] : []
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
