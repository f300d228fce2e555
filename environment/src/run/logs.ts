import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ParsedLog, parseSessionLog } from '@acp-snapshot/session'
import { StepError } from './error.ts'

/** A log as the agent left it. */
export interface HarvestedLog {
  text: string
  parsed: ParsedLog
}

/**
 * Reads the logs that the agent persisted, wherever under the sessions root: the sessions that the script made in the
 * order of their making, then the others (children) by creation.
 *
 * @throws StepError for a log that cannot be read: the agent was asked to close and has exited
 */
export function harvestLogs(root: string, sessionIds: readonly string[]): HarvestedLog[] {
  const ordinals = new Map(sessionIds.map((id, ordinal) => [id, ordinal]))
  const logs = listLogs(root).map((name) => {
    const text = readFileSync(join(root, name), 'utf8')
    try {
      return { text, parsed: parseSessionLog(text, name) }
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      throw new StepError('session logs that can be read', problem)
    }
  })
  const rank = ({ parsed }: HarvestedLog) => ordinals.get(parsed.header.id) ?? sessionIds.length
  return logs.sort((a, b) => rank(a) - rank(b) || a.parsed.header.createdAt - b.parsed.header.createdAt)
}

function listLogs(root: string): string[] {
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
}
