import { count } from '../scenario/fault.ts'
import type { Permission } from '../scenario/input/parse-input.ts'
import { inspect, StepError } from '../scenario-error.ts'
import { isRecord, type Response } from './message.ts'

interface PermissionEvents {
  /** Called for a request that the script has no answer for. The agent gets an error response. */
  fail: (error: StepError) => void
  /** Called for every request, before it is answered. */
  asked: (sessionId: unknown) => void
}

/** A request that waits until its session is cancelled. */
interface Open {
  sessionId: unknown
  title: string
  resolve: (response: Response) => void
}

const CANCELLED: Response = { result: { outcome: { outcome: 'cancelled' } } }

/** Answers `session/request_permission` in the order of the script. One instance serves the run, across restarts. */
export class Permissions {
  readonly #script: readonly Permission[]
  readonly #events: PermissionEvents
  /** Sessions whose turn was cancelled. Until their next prompt, `leaveOpen` requests are cancelled immediately. */
  readonly #cancelled = new Set<unknown>()
  #open: Open[] = []
  #asked = 0

  constructor(script: readonly Permission[], events: PermissionEvents) {
    this.#script = script
    this.#events = events
  }

  answer(params: Record<string, unknown>): Response | Promise<Response> {
    const { sessionId, toolCall } = params
    const permission = this.#script[this.#asked++]
    const title = inspect(isRecord(toolCall) ? toolCall.title : undefined)
    if (permission && isLeftOpen(permission)) {
      if (this.#cancelled.has(sessionId)) return this.#tell(sessionId, CANCELLED)
      const later = new Promise<Response>((resolve) => this.#open.push({ sessionId, title, resolve }))
      this.#events.asked(sessionId)
      return later
    }
    return this.#tell(sessionId, this.#choose(permission, title, params))
  }

  /** Call it when a prompt is sent: it ends the effect of an earlier cancel. */
  turnBegins(sessionId: string): void {
    this.#cancelled.delete(sessionId)
  }

  /** Call it when session/cancel is sent: ACP requires the client to answer open requests with `cancelled`. */
  turnCancelled(sessionId: string): void {
    this.#cancelled.add(sessionId)
    for (const open of this.#open) if (open.sessionId === sessionId) open.resolve(CANCELLED)
    this.#open = this.#open.filter((open) => open.sessionId !== sessionId)
  }

  isOpen(sessionId: string): boolean {
    return this.#open.some((open) => open.sessionId === sessionId)
  }

  /** The problem when the agent is about to be closed while a permission request is still open. */
  openProblem(): StepError | undefined {
    const [first] = this.#open
    if (!first) return undefined
    return new StepError(
      'session/cancel for every permission request that is left open (promptAndCancel or cancel)',
      `none since the request for ${first.title}, in session ${inspect(first.sessionId)}`,
    )
  }

  /** The problem when the script has answers that no request used. */
  unusedProblem(): StepError | undefined {
    if (this.#asked >= this.#script.length) return undefined
    const next = `${inspect(this.#script[this.#asked])}, permissions[${this.#asked}] of input.json, was not used`
    return new StepError(
      `${count(this.#script.length, 'permission request')}, one for each answer in "permissions"`,
      `${this.#asked}: ${next}`,
    )
  }

  #tell(sessionId: unknown, response: Response): Response {
    this.#events.asked(sessionId)
    return response
  }

  #choose(permission: ChosenPermission | undefined, title: string, params: Record<string, unknown>): Response {
    const options = Array.isArray(params.options) ? params.options.filter(isRecord) : []
    if (permission && 'outcome' in permission) return CANCELLED
    const chosen = permission && options.find((option) => matches(option, permission))
    if (chosen) return { result: { outcome: { outcome: 'selected', optionId: chosen.optionId } } }
    const expected = permission
      ? `a permission request with the option ${inspect(permission)}`
      : 'no permission request: "permissions" of input.json has no answer left'
    const offered = options.map(({ optionId, kind }) => ({ optionId, kind }))
    this.#events.fail(new StepError(expected, `session/request_permission for ${title}, options ${inspect(offered)}`))
    return { error: { code: -32603, message: 'the scenario has no answer to this permission request' } }
  }
}

type LeftOpen = { kind: 'leaveOpen' }
type ChosenPermission = Exclude<Permission, LeftOpen>

function isLeftOpen(permission: Permission): permission is LeftOpen {
  return 'kind' in permission && permission.kind === 'leaveOpen'
}

function matches(option: Record<string, unknown>, permission: ChosenPermission): boolean {
  if ('kind' in permission) return option.kind === permission.kind
  return 'optionId' in permission && option.optionId === permission.optionId
}
