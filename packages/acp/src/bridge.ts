import { isAbsolute } from 'node:path'
import { type AgentLoop, type AgentSession, SessionBusyError, UnknownSessionError } from '@acp-snapshot/agent'
import type { ContentBlock, SessionEvent, TurnEndReason } from '@acp-snapshot/session'
import type { Tools } from '@acp-snapshot/tools'
import {
  type ContentBlock as AcpBlock,
  type AgentApp,
  type AgentContext,
  agent,
  type Implementation,
  PROTOCOL_VERSION,
  RequestError,
  type SessionUpdate,
  type StopReason,
} from '@agentclientprotocol/sdk'
import { streamSessionEventUpdate, userMessageUpdates } from './projection.ts'

/** The ACP side of `ctx.agents`: the request handlers, and the session updates in event order. */
export class Bridge {
  readonly #agents: AgentLoop
  readonly #tools: Tools
  readonly #info: Implementation
  #client: AgentContext | undefined
  /** The last pending update. Each update waits for the one before it; a response waits for all of them. */
  #updates: Promise<void> = Promise.resolve()

  constructor(agents: AgentLoop, tools: Tools, info: Implementation) {
    this.#agents = agents
    this.#tools = tools
    this.#info = info
  }

  /** Sends the update for a new event, if it has one. */
  project(session: AgentSession, event: SessionEvent): void {
    const update = streamSessionEventUpdate(event, session.log.events, this.#tools)
    if (update) this.#send(session.id, update)
  }

  /** The ACP app that handles the editor's requests. */
  app(): AgentApp {
    return agent({ name: this.#info.name })
      .onConnect((connection) => {
        this.#client = connection.client
      })
      .onRequest('initialize', () => ({
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: this.#info,
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: false, audio: false, embeddedContext: false },
        },
        authMethods: [],
      }))
      .onRequest('session/new', async ({ params }) => {
        checkDirectories(params)
        return asRequestError(() => ({ sessionId: this.#agents.create(params.cwd).id }))
      })
      .onRequest('session/load', async ({ params }) => {
        checkDirectories(params)
        await asRequestError(() => this.#load(params.sessionId, params.cwd))
        await this.#updates
        return {}
      })
      .onRequest('session/prompt', async ({ params, signal }) => {
        const { sessionId, prompt } = params
        try {
          const end = await asRequestError(() => this.#agents.prompt(sessionId, promptContent(prompt), signal))
          return { stopReason: stopReason(end) }
        } finally {
          await this.#updates
        }
      })
      .onNotification('session/cancel', ({ params }) => this.#agents.cancel(params.sessionId, 'session/cancel'))
  }

  /** Sends the history synchronously after opening the session, so that a prompt sent right after it comes later. */
  #load(sessionId: string, cwd: string): void {
    const { events } = this.#agents.resume(sessionId, cwd).log
    for (const event of events) {
      for (const update of userMessageUpdates(event)) this.#send(sessionId, update)
      const update = streamSessionEventUpdate(event, events, this.#tools)
      if (update) this.#send(sessionId, update)
    }
  }

  #send(sessionId: string, update: SessionUpdate): void {
    const client = this.#client
    // Ignore errors: the editor has disconnected, and its turns end on their own.
    this.#updates = this.#updates
      .then(() => client?.notify('session/update', { sessionId, update }))
      .catch(() => undefined)
  }
}

/** @throws RequestError -32602 for parameters that this agent does not support */
function checkDirectories(params: {
  cwd: string
  additionalDirectories?: string[] | null
  mcpServers?: unknown[]
}): void {
  const refuse = (why: string) => RequestError.invalidParams(undefined, why)
  if (!isAbsolute(params.cwd)) throw refuse(`cwd must be an absolute path, got ${JSON.stringify(params.cwd)}`)
  if (params.additionalDirectories?.length) throw refuse('additionalDirectories is not supported')
  if (params.mcpServers?.length) throw refuse('mcpServers is not supported')
}

/**
 * Converts a prompt to the log's content blocks. Every ACP agent must accept text and resource links;
 * a link becomes a Markdown link.
 *
 * @throws RequestError -32602 for content types that `initialize` does not announce
 */
function promptContent(prompt: readonly AcpBlock[]): ContentBlock[] {
  if (prompt.length === 0) throw RequestError.invalidParams(undefined, 'prompt is empty')
  return prompt.map((block) => {
    if (block.type === 'text') return { type: 'text', text: block.text }
    if (block.type === 'resource_link') return { type: 'text', text: `[${block.title ?? block.name}](${block.uri})` }
    throw RequestError.invalidParams(undefined, `prompt content of type ${block.type} is not supported`)
  })
}

/** @throws RequestError -32603 with the provider's message, when the turn failed */
function stopReason(end: TurnEndReason): StopReason {
  switch (end.kind) {
    case 'completed':
      return 'end_turn'
    case 'max-tokens':
      return 'max_tokens'
    case 'rejected':
      return 'refusal'
    case 'error':
      if (end.code === 'MAX_STEPS') return 'max_turn_requests'
      throw RequestError.internalError(undefined, end.message)
    case 'aborted':
    case 'disposed':
    case 'interrupted':
      return 'cancelled'
  }
}

async function asRequestError<T>(run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof RequestError) throw error
    if (error instanceof UnknownSessionError) throw new RequestError(-32002, error.message)
    if (error instanceof SessionBusyError) throw RequestError.invalidRequest(undefined, error.message)
    throw RequestError.internalError(undefined, error instanceof Error ? error.message : String(error))
  }
}
