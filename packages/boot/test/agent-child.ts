import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OverrideEntry, type ParsedLog, parseSessionLog, type SessionEvent } from '@acp-snapshot/session'
import {
  AgentProcess,
  childEnv,
  createWorkplace,
  type Exit,
  type Frame,
  type Noise,
  type Workplace,
  withDeadline,
} from '../../../environment/src/child/index.ts'
import { isRecord, Peer, type Response } from '../../../environment/src/run/peer.ts'

export const BIN = join(__dirname, '..', 'bin', 'acp-agent.mjs')
export const AGENT_CONFIG = join(__dirname, 'agent.yml')
const PLUGINS = join(__dirname, 'plugins')
const WAIT_MS = 10_000

const workplaces: Workplace[] = []
const agents: AgentProcess[] = []

/** Kills every agent that still runs, and removes what they wrote: for `afterEach` or `afterAll`. */
export async function clearUp(): Promise<void> {
  for (const agent of agents) agent.signal('SIGKILL')
  await Promise.all(agents.splice(0).map(({ exited }) => exited))
  for (const workplace of workplaces.splice(0)) workplace.remove()
}

/** Temp directories for one agent, or for several that follow one another. */
export function newPlace(): Workplace {
  const place = createWorkplace()
  workplaces.push(place)
  return place
}

/** The path of one of the plugins that stand beside this file. */
export function plugin(name: string): string {
  return join(PLUGINS, name)
}

/** Writes a config file into the workplace. A value is written as JSON, which YAML includes. */
export function writeConfig(place: Workplace, config: string | object, name = 'config.yml'): string {
  const file = join(place.root, name)
  writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config))
  return file
}

export interface StartOptions {
  place?: Workplace
  /** The model's script. */
  replay?: OverrideEntry[]
  /** What differs from `agent.yml`. */
  patches?: object[]
  /** Another config file altogether. */
  config?: string
  bin?: string
  env?: Record<string, string>
  /** Starts the agent through another command: it is given the whole command line of the agent. */
  through?: [command: string, ...args: string[]]
}

/** Starts the agent: the bin, in a child, with a config. */
export async function startAgent(options: StartOptions = {}): Promise<Agent> {
  const { place = newPlace(), replay, patches, env = {}, bin = BIN } = options
  const fixture = join(place.root, 'fixture')
  if (replay) {
    mkdirSync(fixture, { recursive: true })
    writeFileSync(join(fixture, 'replay.override.json'), JSON.stringify(replay))
  }
  const config = options.config ?? (patches ? writeConfig(place, { include: AGENT_CONFIG, patches }) : AGENT_CONFIG)
  const [command, ...args] = [...(options.through ?? []), process.execPath, bin, '--config', config]
  const paths = { TEST_FIXTURE: fixture, TEST_REPORT: place.report, TEST_SESSIONS: place.sessions }
  return Agent.spawn(place, command, args, childEnv({ ...paths, ...env }, place))
}

/** Starts the agent on arguments that it does not survive, and gives what it leaves. */
export async function failedStart(options: StartOptions): Promise<{ exit: Exit; stderr: string; stdout: string[] }> {
  const agent = await startAgent(options)
  const exit = await agent.exit()
  return { exit, stderr: agent.stderr, stdout: agent.lines.map(({ text }) => text) }
}

/** An agent in a child, and an editor that speaks to it. */
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
    agents.push(child)
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
      (message) => child.send(message),
      noMethod,
      () => ++id,
    )
  }

  get stderr(): string {
    return this.process.stderr
  }

  /** Sends a request, and waits for its answer. */
  async request(method: string, params: object): Promise<Response> {
    const answer = this.peer.request(method, params)
    const gone = this.process.exited.then(({ code, signal }) => {
      throw new Error(`the agent ended with ${code ?? signal} and did not answer ${method}:\n${this.stderr}`)
    })
    return withDeadline(Promise.race([answer, gone]), WAIT_MS, `the answer to ${method}`)
  }

  initialize(): Promise<Response> {
    return this.request('initialize', { protocolVersion: 1, clientCapabilities: {} })
  }

  /** Starts a session in the workplace, and gives its id. */
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

  /** The updates of a session so far, each as its kind and its text, if it has one. */
  updates(sessionId: string): string[] {
    return this.lines.flatMap((line) => {
      if (line.kind !== 'frame' || line.value.method !== 'session/update') return []
      const { params } = line.value
      return isRecord(params) && params.sessionId === sessionId ? [describeUpdate(params.update)] : []
    })
  }

  /** Waits for an update of a session that reads as this, see `updates`; one that has come already counts. */
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

  /** Ends the agent as an editor does, and gives how it ended. */
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
    // An answer under the id null is to nothing that could be read as a request.
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
