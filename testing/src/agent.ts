import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ParsedLog, parseSessionLog, type SessionEvent } from '@acp-snapshot/session'
import {
  AgentProcess,
  type Exit,
  type Frame,
  type Noise,
  type Workplace,
  withDeadline,
} from 'jest-environment-acp/child'
import { isRecord, Peer, type Response } from 'jest-environment-acp/client'

const WAIT_MS = 10_000

/** An agent in a child process, and the client side of its connection. */
export class Agent {
  readonly place: Workplace
  readonly process: AgentProcess
  readonly peer: Peer
  readonly lines: (Frame | Noise)[]
  #wake: () => void = () => undefined

  static async spawn(place: Workplace, command: string, args: string[], env: Record<string, string>): Promise<Agent> {
    const lines: (Frame | Noise)[] = []
    let receive: (line: Frame | Noise) => void = (line) => lines.push(line)
    const onLine = (line: Frame | Noise) => receive(line)
    const child = await AgentProcess.spawn({ command, args, cwd: place.cwd, env, onLine })
    const agent = new Agent(place, child, lines)
    receive = (line) => agent.#receive(line)
    return agent
  }

  private constructor(place: Workplace, child: AgentProcess, lines: (Frame | Noise)[]) {
    this.place = place
    this.process = child
    this.lines = lines
    let id = 0
    const noMethod = (method: string): Response => ({ error: { code: -32601, message: method } })
    this.peer = new Peer(
      (message, id) => child.send(message, id),
      noMethod,
      () => ++id,
    )
  }

  get stderr(): string {
    return this.process.stderr
  }

  /** Sends a request, and waits for its response. @throws if the agent exits first */
  async request(method: string, params: object): Promise<Response> {
    const answer = this.peer.request(method, params)
    const gone = this.process.exited.then(({ code, signal }) => {
      throw new Error(`the agent exited with ${code ?? signal} before it answered ${method}:\n${this.stderr}`)
    })
    return withDeadline(Promise.race([answer, gone]), WAIT_MS, `the answer to ${method}`)
  }

  initialize(): Promise<Response> {
    return this.request('initialize', { protocolVersion: 1, clientCapabilities: {} })
  }

  /** Starts a session in the workplace, and returns its id. */
  async newSession(): Promise<string> {
    const response = await this.request('session/new', { cwd: this.place.cwd, mcpServers: [] })
    const result = 'result' in response ? response.result : undefined
    if (!isRecord(result) || typeof result.sessionId !== 'string') throw new Error(JSON.stringify(response))
    return result.sessionId
  }

  load(sessionId: string, cwd: string = this.place.cwd): Promise<Response> {
    return this.request('session/load', { sessionId, cwd, mcpServers: [] })
  }

  prompt(sessionId: string, text: string): Promise<Response> {
    return this.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
  }

  cancel(sessionId: string): void {
    this.peer.notify('session/cancel', { sessionId })
  }

  /** The updates of a session so far, each described by its kind, and its text or its tool call. */
  updates(sessionId: string): string[] {
    return this.lines.flatMap((line) => {
      if (line.kind !== 'frame' || line.value.method !== 'session/update') return []
      const { params } = line.value
      return isRecord(params) && params.sessionId === sessionId ? [describeUpdate(params.update)] : []
    })
  }

  /** Waits for an update with this description, see `updates`. An update that has already arrived counts. */
  async update(sessionId: string, description: string): Promise<void> {
    const wait = async () => {
      while (!this.updates(sessionId).includes(description)) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    }
    await withDeadline(wait(), WAIT_MS, `the update ${description}, got ${this.updates(sessionId).join(', ')}`)
  }

  /** Closes stdin, as an editor does to end the agent, and waits for the exit. */
  end(): Promise<Exit> {
    this.process.closeStdin()
    return this.exit()
  }

  exit(): Promise<Exit> {
    return withDeadline(this.process.exited, WAIT_MS, `the agent's exit; its stderr: ${this.stderr}`)
  }

  /** The persisted log of a session. */
  log(sessionId: string): ParsedLog {
    return parseSessionLog(readFileSync(this.logFile(sessionId), 'utf8'), `${sessionId}.jsonl`)
  }

  logFile(sessionId: string): string {
    return join(this.place.sessions, `${sessionId}.jsonl`)
  }

  /** The `data` of all events of a type in the persisted log of a session. */
  logged(sessionId: string, type: string): unknown[] {
    return this.log(sessionId)
      .events.filter((event: SessionEvent) => event.type === type)
      .map(({ data }) => data)
  }

  #receive(line: Frame | Noise): void {
    this.lines.push(line)
    // A response with the id null belongs to no request: the agent could not read one.
    if (line.kind === 'frame' && line.value.id !== null) this.peer.receive(line)
    this.#wake()
  }
}

function describeUpdate(update: unknown): string {
  if (!isRecord(update)) return String(update)
  const { sessionUpdate, content, toolCallId, status } = update
  if (typeof toolCallId === 'string') return `${sessionUpdate} ${toolCallId} ${status}`
  return isRecord(content) ? `${sessionUpdate} ${content.text}` : String(sessionUpdate)
}
