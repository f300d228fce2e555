import { isDeepStrictEqual } from 'node:util'
import type { ToolSchema } from '@acp-snapshot/llm'
import type { RequestHeader } from '@acp-snapshot/session'
import type { AgentConfig } from './agent-config.ts'
import type { AgentSession } from './agent-session.ts'

/** What a request sends besides the history. */
export interface LiveHeader extends RequestHeader {
  tools: readonly ToolSchema[]
}

/** The header that the session's next request sends. */
export function requestHeader(config: AgentConfig, cwd: string, tools: readonly ToolSchema[]): LiveHeader {
  const system = config.system?.replaceAll('{{cwd}}', () => cwd)
  return { config: { model: config.model }, ...(system !== undefined && { system }), tools }
}

/** Logs the header when it is not the one that the log holds last. */
export function logHeader(session: AgentSession, header: LiveHeader): void {
  const last = session.log.last('request/header')
  if (last && isDeepStrictEqual(last.data.header, header)) return
  const reason = !last ? 'initial' : session.resumed ? 'resume' : 'fallback'
  session.append('request/header', { header, reason })
}
