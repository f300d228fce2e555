import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSessionLog } from '@acp-snapshot/session'
import { StepError } from './error.ts'

/**
 * Reads the logs that the agent persisted, wherever under the sessions root: the sessions that the script made in the
 * order of their making, then the others (children) by creation.
 *
 * @returns the text of each
 * @throws StepError for a log that cannot be read: the agent was asked to close and has exited
 */
export function harvestLogs(root: string, sessionIds: readonly string[]): string[] {
  const ordinals = new Map(sessionIds.map((id, ordinal) => [id, ordinal]))
  const logs = listLogs(root).map((name) => {
    const text = readFileSync(join(root, name), 'utf8')
    try {
      const { id, createdAt } = parseSessionLog(text, name).header
      return { text, rank: ordinals.get(id) ?? sessionIds.length, createdAt }
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      throw new StepError('session logs that can be read', problem)
    }
  })
  return logs.sort((a, b) => a.rank - b.rank || a.createdAt - b.createdAt).map(({ text }) => text)
}

function listLogs(root: string): string[] {
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
}
