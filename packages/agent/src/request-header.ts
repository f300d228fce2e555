import { isDeepStrictEqual } from 'node:util'
import type { ToolSchema } from '@acp-snapshot/llm'
import type { RequestHeader } from '@acp-snapshot/session'
import type { AgentConfig } from './agent-config.ts'
import type { AgentSession } from './agent-session.ts'

/** Everything a request sends besides the history. */
export interface LiveHeader extends RequestHeader {
  tools: readonly ToolSchema[]
}

/** The header of the session's next request. */
export function requestHeader(config: AgentConfig, cwd: string, tools: readonly ToolSchema[]): LiveHeader {
  const system = config.system?.replaceAll('{{cwd}}', () => cwd)
  return { config: { model: config.model }, ...(system !== undefined && { system }), tools }
}

/** Logs the header when it differs from the last one in the log. */
export function logHeader(session: AgentSession, header: LiveHeader): void {
  const last = session.log.last('request/header')
  if (last && isDeepStrictEqual(last.data.header, header)) return
  const reason = !last ? 'initial' : session.resumed ? 'resume' : 'fallback'
  session.append('request/header', { header, reason })
}
