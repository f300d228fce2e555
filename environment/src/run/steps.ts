import type { Step, StepOf } from '../scenario/input.ts'
import { inspect, StepError } from './error.ts'
import { isRecord, type Peer, type Response, type Update } from './peer.ts'
import type { RunSession, RunSessions } from './sessions.ts'

/** What a step acts on. */
export interface StepContext {
  peer: Peer
  sessions: RunSessions
  cwd: string
  restart: () => Promise<void>
}

/** The client that `initialize` speaks for: one that can do nothing but what a scenario says. */
const CLIENT_INFO = { name: 'jest-environment-acp', version: '0.1.0' }
const NO_CAPABILITIES = { fs: { readTextFile: false, writeTextFile: false }, terminal: false }

type Runner<Op extends Step['op']> = (step: StepOf<Op>, context: StepContext) => Promise<void>

/** Runs one step. @throws StepError when it meets what it does not expect */
export function runStep(step: Step, context: StepContext): Promise<void> {
  return (runners[step.op] as Runner<Step['op']>)(step, context)
}

const runners: { [Op in Step['op']]: Runner<Op> } = {
  async initialize({ protocolVersion = 1, clientCapabilities = NO_CAPABILITIES }, { peer }) {
    expectResult(await peer.request('initialize', { protocolVersion, clientCapabilities, clientInfo: CLIENT_INFO }))
  },

  async newSession(step, context) {
    const result = expectResult(await requestSession(step, context))
    const sessionId = isRecord(result) ? result.sessionId : undefined
    if (typeof sessionId !== 'string') throw new StepError('a result with a sessionId', inspect(result))
    context.sessions.add(step.as, sessionId)
  },

  async newSessionExpectError(step, context) {
    expectError(await requestSession(step, context), step.code)
  },

  async loadSession({ session }, { peer, sessions, cwd }) {
    const loaded = sessions.find(session)
    loaded.seen = loaded.updates.length
    const { id } = loaded
    expectResult(await peer.request('session/load', { sessionId: id, cwd, mcpServers: [] }))
  },

  async loadSessionExpectError({ session, sessionId, code }, { peer, sessions, cwd }) {
    const id = sessionId ?? sessions.find(session).id
    expectError(await peer.request('session/load', { sessionId: id, cwd, mcpServers: [] }), code)
  },

  async prompt(step, { peer, sessions }) {
    const session = sessions.find(step.session)
    const response = sendPrompt(peer, session.id, step, session)
    if (step.background) session.prompt = response
    else expectResult(await response)
  },

  async promptExpectError(step, { peer, sessions }) {
    const id = step.sessionId ?? sessions.find(step.session).id
    expectError(await sendPrompt(peer, id, step), step.code)
  },

  async promptAndCancel(step, { peer, sessions }) {
    const session = sessions.find(step.session)
    const response = sendPrompt(peer, session.id, step, session)
    const before = session.updates.length
    const first = await Promise.race([sessions.nextUpdate(session, () => true), response])
    // Both may have come in one read: then the race is no judge.
    if (session.updates.length === before)
      throw new StepError('an update, to cancel the turn after it', `the response ${inspect(first)}`)
    peer.notify('session/cancel', { sessionId: session.id })
    expectStopReason(await response, 'cancelled')
  },

  async cancel({ session }, { peer, sessions }) {
    peer.notify('session/cancel', { sessionId: sessions.find(session).id })
  },

  async waitForPrompt({ session: name, stopReason }, { sessions }) {
    const session = sessions.find(name)
    const response = await session.prompt
    session.prompt = undefined
    if (response) expectStopReason(response, stopReason)
  },

  async waitForUpdate({ session, update: kind, text }, { sessions }) {
    const matches = (update: Update) =>
      update.kind === kind &&
      (text === undefined || JSON.stringify(update.value).includes(JSON.stringify(text).slice(1, -1)))
    await sessions.nextUpdate(sessions.find(session), matches)
  },

  async setMode({ modeId, session }, { peer, sessions }) {
    expectResult(await peer.request('session/set_mode', { sessionId: sessions.find(session).id, modeId }))
  },

  async setConfigOption({ configId, value, session }, { peer, sessions }) {
    const { id } = sessions.find(session)
    expectResult(await peer.request('session/set_config_option', { sessionId: id, configId, value }))
  },

  async restart(_, { restart }) {
    await restart()
  },
}

function requestSession(step: StepOf<'newSession' | 'newSessionExpectError'>, context: StepContext): Promise<Response> {
  const { additionalDirectories, mcpServers = [], cwd = context.cwd } = step
  return context.peer.request('session/new', {
    cwd,
    mcpServers,
    ...(additionalDirectories && { additionalDirectories }),
  })
}

function sendPrompt(
  peer: Peer,
  sessionId: string,
  { text, content }: { text?: string | undefined; content?: object[] | undefined },
  session?: RunSession,
): Promise<Response> {
  if (session) session.seen = session.updates.length
  const prompt = content ?? [{ type: 'text', text }]
  return peer.request('session/prompt', { sessionId, prompt })
}

function expectResult(response: Response): unknown {
  if ('error' in response) throw new StepError('a result', `the error ${inspect(response.error)}`)
  return response.result
}

function expectError(response: Response, code: number | undefined): void {
  const expected = code === undefined ? 'an error' : `an error with code ${code}`
  if (!('error' in response)) throw new StepError(expected, `the result ${inspect(response.result)}`)
  if (code !== undefined && response.error.code !== code) {
    throw new StepError(expected, `the error ${inspect(response.error)}`)
  }
}

function expectStopReason(response: Response, expected: string | undefined): void {
  const result = expectResult(response)
  const got = isRecord(result) ? result.stopReason : undefined
  if (expected !== undefined && got !== expected)
    throw new StepError(`stopReason ${inspect(expected)}`, inspect(result))
}
