import { childEnv, createWorkplace, withDeadline } from '../child/index.ts'
import { escapeLine } from '../escape-controls.ts'
import { type AcpOptions, launchOf, SETTLE_MS } from '../options.ts'
import { Connection } from '../run/connection.ts'
import { describeStderr } from '../run/failure.ts'
import { isRecord, type Response } from '../run/message.ts'
import { CommandError } from './shell.ts'

/** What an agent said to a first editor. */
export interface Probe {
  /** Its name and version, if it says them. */
  agent: string
  /** How it answered `session/new`: its error, or `undefined` for a session. */
  refusal: { code: number; message: string } | undefined
  /** The ways to sign in that it offers. */
  authMethods: readonly string[]
  /** What went wrong when its stdin closed: it did not exit, or with another code than 0. */
  exitProblem: string | undefined
}

/**
 * Starts an agent once, as an editor does, in new directories: `initialize`, `session/new`, end of stdin.
 *
 * @throws CommandError when it does not start, does not answer, or breaks the protocol; with its stderr
 */
export async function probeAgent(options: AcpOptions): Promise<Probe> {
  const workplace = createWorkplace()
  const { cwd, home, sessions, tmp, report } = workplace
  const places = { cwd, home, sessions, tmp, report, fixture: cwd }
  const launch = launchOf(options, { config: undefined, live: false, places })
  let connection: Connection | undefined
  let ids = 0
  try {
    const open = await Connection.open({
      launch: { ...launch, env: childEnv(launch.env, workplace) },
      cwd,
      answer: (method) => ({ error: { code: -32601, message: `Method not found: ${method}` } }),
      nextId: () => ++ids,
      onFrame: () => undefined,
    })
    connection = open
    const { stepMs, exitMs } = options.deadlines
    const ask = (method: string, params: object) =>
      withDeadline(Promise.race([open.peer.request(method, params), open.broken]), stepMs, `the answer to ${method}`)
    const initialized = await ask('initialize', { protocolVersion: 1, clientCapabilities: {} })
    if ('error' in initialized) throw new Error(`initialize failed: ${JSON.stringify(initialized.error)}`)
    const session = await ask('session/new', { cwd, mcpServers: [] })
    await open.quiet(options.settleMs ?? SETTLE_MS)
    const closing = open.close(exitMs)
    const exitProblem = await closing.then(
      () => undefined,
      (error: unknown) => messageOf(error),
    )
    return { ...readInitialize(initialized.result), refusal: refusalOf(session), exitProblem }
  } catch (error) {
    throw new CommandError(`${messageOf(error)}\n\n${describeStderr(connection?.stderr ?? '')}`)
  } finally {
    await connection?.kill()
    workplace.remove()
  }
}

function readInitialize(result: unknown): Pick<Probe, 'agent' | 'authMethods'> {
  const { agentInfo, authMethods } = isRecord(result) ? result : {}
  const { name, version } = isRecord(agentInfo) ? agentInfo : {}
  const words = [name, version].filter((word) => typeof word === 'string')
  const methods = Array.isArray(authMethods) ? authMethods.filter(isRecord) : []
  return {
    agent: escapeLine(words.join(' ')) || 'an agent that does not say its name',
    authMethods: methods.map(({ id, name }) => escapeLine(`${String(id)} (${String(name)})`)),
  }
}

function refusalOf(response: Response): Probe['refusal'] {
  return 'error' in response ? { code: response.error.code, message: escapeLine(response.error.message) } : undefined
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
