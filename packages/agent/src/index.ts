import type { SessionEvent } from '@acp-snapshot/session'
import type { Context } from 'cordis'
import * as z from 'zod'
import { AgentLoop } from './loop.ts'
import type { AgentSession } from './session.ts'

export type { AgentLoop } from './loop.ts'
export { SessionBusyError, UnknownSessionError } from './loop.ts'
export type { AgentSession } from './session.ts'

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
// `sessionPersistence` is not here on purpose: an agent without a backend must not wait for one for ever.
export const inject = ['llm', 'tools']

/** `system` may hold `{{cwd}}`, which stands for the session's working directory. */
export const Config = z.strictObject({
  model: z.string().min(1),
  system: z.string().optional(),
  maxSteps: z.number().int().positive().default(100),
})

export type AgentConfig = z.infer<typeof Config>

export function apply(ctx: Context, config: AgentConfig): void {
  new AgentLoop(ctx, config)
}
