import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSessionLog } from '@acp-snapshot/session'
import { ScenarioError } from './error.ts'

/** A log as the agent left it. */
export interface HarvestedLog {
  id: string
  text: string
  /** How many events it has. */
  events: number
}

/**
 * Reads the logs that the agent persisted, wherever under the sessions root: the sessions that the script made in the
 * order of their making, then the others (children) by creation.
 *
 * @throws ScenarioError for a log that cannot be read: the agent was asked to close and has exited
 */
export function harvestLogs(root: string, sessionIds: readonly string[]): HarvestedLog[] {
  const logs = listLogs(root).map((name) => {
    const text = readFileSync(join(root, name), 'utf8')
    try {
      const { header, events } = parseSessionLog(text, name)
      return { id: header.id, createdAt: header.createdAt, text, events: events.length }
    } catch (error) {
      throw new ScenarioError(
        `the agent left a session log that is none: ${error instanceof Error ? error.message : error}`,
      )
    }
  })
  const rank = ({ id }: HarvestedLog) => (sessionIds.indexOf(id) === -1 ? sessionIds.length : sessionIds.indexOf(id))
  return logs.sort((a, b) => rank(a) - rank(b) || a.createdAt - b.createdAt)
}

function listLogs(root: string): string[] {
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
}
