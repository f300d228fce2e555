import type { Step, StepOf } from '../scenario/input/parse-input.ts'
import { inspect, StepError } from '../scenario-error.ts'
import { NO_CAPABILITIES } from './capabilities.ts'
import { isRecord, type Peer, type Response, type Update } from './peer.ts'
import type { Permissions } from './permissions.ts'
import type { RunSession, RunSessions } from './sessions.ts'

/** What a step works with. */
interface StepContext {
  peer: Peer
  sessions: RunSessions
  permissions: Permissions
  cwd: string
  restart: () => Promise<void>
  /** Waits until the agent is quiet for `ms`, by default `settleMs` of the options. */
  settle: (ms: number | undefined) => Promise<void>
  /** Waits for updates after a turn: if `settleMs` is set, and no other turn runs in the background. */
  turnEnded: () => Promise<void>
}

/** What `initialize` sends unless the scenario sets it. */
const CLIENT_INFO = { name: 'jest-environment-acp', version: '0.1.0' }

type Runner<Op extends Step['op']> = (step: StepOf<Op>, context: StepContext) => Promise<void>

/** Runs one step. @throws StepError when the agent's answer is not the expected one */
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
    context.sessions.add(step.as, sessionId, step.cwd ?? context.cwd)
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

  async prompt(step, context) {
    const session = context.sessions.find(step.session)
    const response = sendPrompt(context, session.id, step, session)
    if (step.background) session.prompt = response
    else expectResult(await endOfTurn(response, session.id, step, context))
    if (!step.background) await context.turnEnded()
  },

  async promptExpectError(step, context) {
    const id = step.sessionId ?? context.sessions.find(step.session).id
    expectError(await endOfTurn(sendPrompt(context, id, step), id, step, context), step.code)
    await context.turnEnded()
  },

  async promptAndCancel(step, context) {
    const session = context.sessions.find(step.session)
    const reached = turnReaches(step.after, session)
    const response = sendPrompt(context, session.id, step, session)
    const first = await Promise.race([context.sessions.until(reached), response])
    // Both may arrive in one read, and then the winner of the race says nothing.
    if (!reached()) {
      const expected = `${TURN_POINTS[step.after ?? 'update'].name}, to cancel the turn after it`
      throw new StepError(expected, `the response ${inspect(first)}`)
    }
    sendCancel(context, session.id)
    expectStopReason(await response, step.stopReason ?? 'cancelled')
    await context.turnEnded()
  },

  async cancel({ session }, context) {
    sendCancel(context, context.sessions.find(session).id)
  },

  async waitForPrompt(step, context) {
    const session = context.sessions.find(step.session)
    const response = session.prompt && (await endOfTurn(session.prompt, session.id, step, context))
    session.prompt = undefined
    if (response) expectStopReason(response, step.stopReason)
    await context.turnEnded()
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

  async settle({ ms }, { settle }) {
    await settle(ms)
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

/** The points at which a turn can be cancelled: their names in messages, and the update kinds that reach them. */
const TURN_POINTS = {
  update: {
    name: 'an update of the turn (message, thought, tool call or plan)',
    kinds: ['agent_message_chunk', 'agent_thought_chunk', 'tool_call', 'tool_call_update', 'plan'],
  },
  message: { name: 'a message', kinds: ['agent_message_chunk'] },
  thought: { name: 'a thought', kinds: ['agent_thought_chunk'] },
  toolCall: { name: 'a tool call', kinds: ['tool_call'] },
  permission: { name: 'a permission request', kinds: [] },
  nothing: { name: 'nothing', kinds: [] },
} as const satisfies Record<string, { name: string; kinds: readonly string[] }>

/** Returns a function that says whether the turn that starts now has reached a point. */
function turnReaches(after: keyof typeof TURN_POINTS = 'update', session: RunSession): () => boolean {
  if (after === 'nothing') return () => true
  const { asked } = session
  if (after === 'permission') return () => session.asked > asked
  const kinds: readonly unknown[] = TURN_POINTS[after].kinds
  let at = session.updates.length
  let reached = false
  return () => {
    while (!reached && at < session.updates.length) reached = kinds.includes(session.updates[at++]?.kind)
    return reached
  }
}

/** A turn's response. @throws StepError when a permission request is left open: this step cannot cancel the turn */
async function endOfTurn(
  response: Promise<Response>,
  sessionId: string,
  { op }: Step,
  { sessions, permissions }: StepContext,
): Promise<Response> {
  const isOpen = () => permissions.isOpen(sessionId)
  const ended = await Promise.race([response, sessions.until(isOpen)])
  if (ended && !isOpen()) return ended
  throw new StepError(
    'a step that can cancel the turn while a permission request is left open: ' +
      'promptAndCancel with "after": "permission", or a background prompt followed by cancel',
    `${op}, which waits for the turn to end`,
  )
}

function sendCancel({ peer, permissions }: StepContext, sessionId: string): void {
  peer.notify('session/cancel', { sessionId })
  permissions.turnCancelled(sessionId)
}

function sendPrompt(
  { peer, permissions }: StepContext,
  sessionId: string,
  { text, content }: { text?: string | undefined; content?: object[] | undefined },
  session?: RunSession,
): Promise<Response> {
  if (session) session.seen = session.updates.length
  permissions.turnBegins(sessionId)
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
