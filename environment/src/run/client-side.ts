import type { Workplace } from '../child/index.ts'
import { fillPlaces, type Places } from '../places.ts'
import type { ScenarioInput } from '../scenario/input/parse-input.ts'
import type { StepError } from '../scenario-error.ts'
import { clientMethods } from './client-methods.ts'
import type { Answer, Call } from './peer.ts'
import { Permissions } from './permissions.ts'
import { ScriptedAnswers } from './scripted-answers.ts'
import type { RunSessions } from './sessions.ts'
import { Terminals } from './terminals.ts'

interface ClientSideOptions {
  input: ScenarioInput
  workplace: Workplace
  sessions: RunSessions
  /** The placeholders in `input.json`. */
  places: () => Places
  terminalEnv: () => Record<string, string>
  /** The number of the current step. */
  step: () => number
}

/** What answers the agent's requests. One instance serves the run, across restarts. */
export class ClientSide {
  readonly permissions: Permissions
  readonly answers: ScriptedAnswers
  readonly terminals: Terminals
  readonly answer: Answer
  readonly #refused = new Set<string>()
  #capabilities: unknown
  #question: StepError | undefined

  constructor({ input, workplace, sessions, places, terminalEnv, step }: ClientSideOptions) {
    const fill = <T>(value: T) => fillPlaces(value, places())
    this.permissions = new Permissions(input.permissions, fill, {
      fail: (error) => {
        this.#question ??= error
      },
      asked: (sessionId) => sessions.receivePermissionRequest(sessionId),
      toolCall: (sessionId, toolCallId) => sessions.toolCall(sessionId, toolCallId),
    })
    this.answers = new ScriptedAnswers(input.answers, fill)
    this.terminals = new Terminals({
      cwdOf: (sessionId) => sessions.cwdOf(sessionId) ?? workplace.cwd,
      root: workplace.root,
      env: terminalEnv,
      ordinalOf: (sessionId) => sessions.ordinalOf(sessionId),
    })
    this.answer = clientMethods({
      cwd: workplace.cwd,
      permissions: this.permissions,
      answers: this.answers,
      terminals: this.terminals,
      capabilities: () => this.#capabilities,
      refused: (method, advice) => void this.#refused.add(`step ${step()}: ${method}: ${advice}`),
    })
  }

  /** Call it for each message that is sent: what the last `initialize` offers counts. */
  sends({ method, params }: Call): void {
    if (method === 'initialize' && 'clientCapabilities' in params) this.#capabilities = params.clientCapabilities
  }

  /** The requests that got "Method not found", one line for each step and method. */
  get refused(): string[] {
    return [...this.#refused]
  }

  /** The problem with a permission request of the agent. The current step fails with it. */
  get question(): StepError | undefined {
    return this.#question
  }
}
