import { randomUUID } from 'node:crypto'
import {
  type ContentBlock,
  closeInterruptedTurn,
  LOG_VERSION,
  type SessionEvent,
  SessionLog,
  type TurnEndReason,
} from '@acp-snapshot/session'
import { type Context, Service } from 'cordis'
import type { AgentConfig } from './agent-config.ts'
import { AgentSession } from './agent-session.ts'
import { requestHeader } from './request-header.ts'
import type { LogWriter } from './session-persistence.ts'
import { type AbortReason, runTurn } from './turn.ts'

/** A session id that is neither open nor persisted. */
export class UnknownSessionError extends Error {
  override name = 'UnknownSessionError'
}

/** A session that is already running a turn. */
export class SessionBusyError extends Error {
  override name = 'SessionBusyError'
}

/**
 * `ctx.agents`: the agent's sessions, and the loop that runs a turn. Sessions run concurrently; each runs one turn at a
 * time. Members are `private`, not `#private`: Cordis calls a service through a proxy, which cannot access `#private` ones.
 */
export class AgentLoop extends Service {
  readonly config: AgentConfig
  private readonly sessions = new Map<string, AgentSession>()
  private disposed = false

  constructor(ctx: Context, config: AgentConfig) {
    super(ctx, 'agents')
    this.config = config
    ctx.effect(() => () => this.dispose(), 'agents')
  }

  /** Starts a session in a directory. @param cwd an absolute path @throws what `sessionPersistence.create` throws */
  create(cwd: string): AgentSession {
    this.requireLive()
    const header = { type: 'session', version: LOG_VERSION, id: randomUUID(), createdAt: Date.now(), cwd } as const
    return this.open(new SessionLog(header), cwd, false, this.persistence()?.create(header))
  }

  /**
   * Continues a session: an open one if there is one, otherwise a persisted one. A turn that a crash interrupted is closed
   * first.
   *
   * @param cwd the working directory of its tools from now on, an absolute path
   * @throws UnknownSessionError, SessionBusyError, and what `sessionPersistence.open` throws
   */
  resume(id: string, cwd: string): AgentSession {
    this.requireLive()
    const open = this.sessions.get(id)
    if (open) {
      if (open.turn) throw new SessionBusyError(`session ${id} is running a turn`)
      open.cwd = cwd
      return open
    }
    const persisted = this.persistence()?.open(id)
    if (!persisted) throw new UnknownSessionError(`no session ${id}`)
    return this.open(new SessionLog(persisted.log.header, persisted.log.events), cwd, true, persisted.writer)
  }

  /**
   * Runs one turn of an open session. If the promise rejects, because the log cannot be written or breaks the contract,
   * the session is closed; `resume` continues from what was persisted.
   *
   * @param signal cancels only this turn
   * @returns how the turn ended; a model failure is an end of kind `error`, not a rejection
   * @throws UnknownSessionError, SessionBusyError
   */
  async prompt(id: string, content: ContentBlock[], signal: AbortSignal): Promise<TurnEndReason> {
    this.requireLive()
    const session = this.sessions.get(id)
    if (!session) throw new UnknownSessionError(`no session ${id}`)
    if (session.turn) throw new SessionBusyError(`session ${id} is running a turn; cancel it or wait until it ends`)
    const abort = new AbortController()
    const cancel = () => abort.abort({ kind: 'aborted', reason: 'the request was cancelled' } satisfies AbortReason)
    signal.addEventListener('abort', cancel)
    if (signal.aborted) cancel()
    const { llm, tools } = this.ctx
    const header = requestHeader(this.config, session.cwd, tools.schemas())
    const { maxSteps } = this.config
    const done = runTurn(session, content, { llm, tools, header, maxSteps, signal: abort.signal })
    session.turn = { abort, done }
    try {
      return await done
    } catch (error) {
      session.abandon()
      this.sessions.delete(id)
      throw error
    } finally {
      session.turn = undefined
      signal.removeEventListener('abort', cancel)
    }
  }

  /** Aborts the session's running turn, if there is one. */
  cancel(id: string, reason: string): void {
    this.abort(id, { kind: 'aborted', reason })
  }

  // A sibling plugin provides it, and this plugin does not declare it in `inject`. `this.ctx.sessionPersistence` would
  // search only the ancestors and throw; `ctx.get` finds the service anywhere.
  private persistence() {
    return this.ctx.get('sessionPersistence')
  }

  /** On failure, no open session and no lock on its log remains. */
  private open(log: SessionLog, cwd: string, resumed: boolean, writer: LogWriter | undefined): AgentSession {
    const announce = (from: AgentSession, event: SessionEvent) => this.ctx.emit('session/event', from, event)
    const session = new AgentSession({ log, cwd, resumed, writer, announce })
    try {
      for (const event of closeInterruptedTurn(log)) writer?.append(event)
      this.ctx.emit('session/opened', session)
    } catch (error) {
      session.abandon()
      throw error
    }
    this.sessions.set(session.id, session)
    return session
  }

  private abort(id: string, reason: AbortReason): void {
    this.sessions.get(id)?.turn?.abort.abort(reason)
  }

  private requireLive(): void {
    if (this.disposed) throw new Error('the agent is shutting down')
  }

  private async dispose(): Promise<void> {
    this.disposed = true
    const sessions = [...this.sessions.values()]
    for (const { id } of sessions) this.abort(id, { kind: 'disposed' })
    await Promise.allSettled(sessions.map(({ turn }) => turn?.done))
    await Promise.all(sessions.map((session) => session.close()))
    this.sessions.clear()
  }
}
