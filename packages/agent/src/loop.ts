import { randomUUID } from 'node:crypto'
import {
  type ContentBlock,
  closeInterruptedTurn,
  LOG_VERSION,
  type SessionEvent,
  SessionLog,
  type TurnEndReason,
} from '@acp-snapshot/session'
import type { LogWriter } from '@acp-snapshot/session-persistence'
import { type Context, Service } from 'cordis'
import { requestHeader } from './header.ts'
import type { AgentConfig } from './index.ts'
import { AgentSession } from './session.ts'
import { type AbortReason, runTurn } from './turn.ts'

/** A session id that is neither open nor persisted. */
export class UnknownSessionError extends Error {
  override name = 'UnknownSessionError'
}

/** A session in which a turn runs already. */
export class SessionBusyError extends Error {
  override name = 'SessionBusyError'
}

/**
 * `ctx.agents`: the agent's sessions, and the loop that runs a turn. Sessions run side by side; a session runs one turn.
 * Its members are `private`, not `#private`: Cordis calls a service through a proxy, which cannot reach those.
 */
export class AgentLoop extends Service {
  readonly config: AgentConfig
  private readonly sessions = new Map<string, AgentSession>()

  constructor(ctx: Context, config: AgentConfig) {
    super(ctx, 'agents')
    this.config = config
    ctx.effect(() => () => this.dispose(), 'agents')
  }

  /** Starts a session in a directory. @param cwd an absolute path */
  create(cwd: string): AgentSession {
    const header = { type: 'session', version: LOG_VERSION, id: randomUUID(), createdAt: Date.now(), cwd } as const
    return this.open(new SessionLog(header), cwd, false, this.persistence()?.create(header))
  }

  /**
   * Goes on with a session: one that is open here, or else a persisted one. A turn that a crash cut is closed first.
   *
   * @throws UnknownSessionError, SessionBusyError, and what `sessionPersistence.open` throws
   */
  resume(id: string, cwd: string): AgentSession {
    const open = this.sessions.get(id)
    if (open) {
      if (open.turn) throw new SessionBusyError(`session ${id} is running a turn`)
      return open
    }
    const persisted = this.persistence()?.open(id)
    if (!persisted) throw new UnknownSessionError(`no session ${id}`)
    const log = new SessionLog(persisted.log.header, persisted.log.events)
    for (const event of closeInterruptedTurn(log)) persisted.writer.append(event)
    return this.open(log, cwd, true, persisted.writer)
  }

  /**
   * Runs one turn of an open session.
   *
   * @returns how the turn ended; a model that fails is an end of kind `error`, not a rejection
   * @throws UnknownSessionError, SessionBusyError
   */
  async prompt(id: string, content: ContentBlock[]): Promise<TurnEndReason> {
    const session = this.sessions.get(id)
    if (!session) throw new UnknownSessionError(`no session ${id}`)
    if (session.turn) throw new SessionBusyError(`session ${id} is running a turn; cancel it, or wait for its end`)
    const abort = new AbortController()
    const { llm, tools } = this.ctx
    const header = requestHeader(this.config, session.cwd, tools.schemas())
    const { maxSteps } = this.config
    const done = runTurn(session, content, { llm, tools, header, maxSteps, signal: abort.signal })
    session.turn = { abort, done }
    try {
      return await done
    } finally {
      session.turn = undefined
    }
  }

  /** Aborts the turn that runs in a session. Does nothing when none does. */
  cancel(id: string, reason: string): void {
    this.abort(id, { kind: 'aborted', reason })
  }

  // A sibling plugin provides it, and this plugin does not declare it: `this.ctx.sessionPersistence` would walk the
  // ancestors from here, never the siblings, and throw. `ctx.get` looks it up wherever it stands.
  private persistence() {
    return this.ctx.get('sessionPersistence')
  }

  private open(log: SessionLog, cwd: string, resumed: boolean, writer: LogWriter | undefined): AgentSession {
    const announce = (from: AgentSession, event: SessionEvent) => this.ctx.emit('session/event', from, event)
    const session = new AgentSession({ log, cwd, resumed, writer, announce })
    this.sessions.set(session.id, session)
    this.ctx.emit('session/opened', session)
    return session
  }

  private abort(id: string, reason: AbortReason): void {
    this.sessions.get(id)?.turn?.abort.abort(reason)
  }

  private async dispose(): Promise<void> {
    for (const session of this.sessions.values()) {
      this.abort(session.id, { kind: 'disposed' })
      await session.turn?.done.catch(() => undefined)
      await session.close()
    }
    this.sessions.clear()
  }
}
