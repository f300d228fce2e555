import type { SessionEvent } from '@acp-snapshot/session'
import type { Context } from 'cordis'
import type { AgentConfig } from './agent-config.ts'
import type { AgentSession } from './agent-session.ts'
import { AgentLoop } from './loop.ts'

export { Config } from './agent-config.ts'
export type { AgentSession } from './agent-session.ts'
export type { AgentLoop } from './loop.ts'
export { SessionBusyError, UnknownSessionError } from './loop.ts'
export type { LogWriter, SessionPersistence } from './session-persistence.ts'

declare module 'cordis' {
  interface Context {
    agents: AgentLoop
  }
  interface Events {
    /** A session was created, or resumed from its log. */
    'session/opened'(session: AgentSession): void
    /** An event was appended to a session's log. */
    'session/event'(session: AgentSession, event: SessionEvent): void
  }
}

export const name = 'agent'
// `sessionPersistence` is left out on purpose: an agent without a backend would wait for one forever.
export const inject = ['llm', 'tools']

export function apply(ctx: Context, config: AgentConfig): void {
  new AgentLoop(ctx, config)
}
