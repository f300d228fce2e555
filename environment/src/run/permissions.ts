import { count } from '../scenario/fault.ts'
import type { Permission } from '../scenario/input/parse-input.ts'
import { inspect, StepError } from '../scenario-error.ts'
import { isRecord, type Response } from './message.ts'

interface PermissionEvents {
  /** Called for a request that the script has no answer for. The agent gets an error response. */
  fail: (error: StepError) => void
  /** Called for every request, before it is answered. */
  asked: (sessionId: unknown) => void
  /** What earlier updates said of a tool call: a request may leave it out. */
  toolCall: (sessionId: unknown, toolCallId: unknown) => Record<string, unknown>
}

/** The tool call that a permission is asked for. */
interface Subject {
  title: unknown
  kind: unknown
}

/** A request that waits until its session is cancelled. */
interface Open {
  sessionId: unknown
  title: string
  resolve: (response: Response) => void
}

const CANCELLED: Response = { result: { outcome: { outcome: 'cancelled' } } }

/**
 * Answers `session/request_permission`: with the first unused answer of the script that names the tool call (`for`), else
 * with the first unused one that names none. One instance serves the run, across restarts.
 */
export class Permissions {
  readonly #script: readonly Permission[]
  readonly #fill: (text: string) => string
  readonly #events: PermissionEvents
  /** Sessions whose turn was cancelled. Until their next prompt, `leaveOpen` requests are cancelled immediately. */
  readonly #cancelled = new Set<unknown>()
  readonly #used = new Set<Permission>()
  #open: Open[] = []

  /** @param fill replaces the placeholders in a `for` */
  constructor(script: readonly Permission[], fill: (text: string) => string, events: PermissionEvents) {
    this.#script = script
    this.#fill = fill
    this.#events = events
  }

  answer(params: Record<string, unknown>): Response | Promise<Response> {
    const { sessionId } = params
    const subject = this.#subjectOf(params)
    const permission = this.#take(subject)
    const title = inspect(subject.title)
    if (permission && isLeftOpen(permission)) {
      if (this.#cancelled.has(sessionId)) return this.#tell(sessionId, CANCELLED)
      const later = new Promise<Response>((resolve) => this.#open.push({ sessionId, title, resolve }))
      this.#events.asked(sessionId)
      return later
    }
    return this.#tell(sessionId, this.#choose(permission, subject, params))
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
    const once = this.#script.filter(({ times }) => times !== 'any')
    const unused = once.find((permission) => !this.#used.has(permission))
    if (!unused) return undefined
    const next = `${inspect(unused)}, permissions[${this.#script.indexOf(unused)}] of input.json, was not used`
    return new StepError(
      `${count(once.length, 'permission request')}, one for each answer in "permissions"`,
      `${once.filter((permission) => this.#used.has(permission)).length}: ${next}`,
    )
  }

  #subjectOf({ sessionId, toolCall }: Record<string, unknown>): Subject {
    const { toolCallId, title, kind } = isRecord(toolCall) ? toolCall : {}
    const known = this.#events.toolCall(sessionId, toolCallId)
    return { title: title ?? known.title, kind: kind ?? known.kind }
  }

  #take(subject: Subject): Permission | undefined {
    const left = this.#script.filter((permission) => permission.times === 'any' || !this.#used.has(permission))
    const named = [subject.title, subject.kind]
    const found =
      left.find((permission) => permission.for !== undefined && named.includes(this.#fill(permission.for))) ??
      left.find((permission) => permission.for === undefined)
    if (found) this.#used.add(found)
    return found
  }

  /** What is expected when no answer fits. */
  get #nothingLeft(): string {
    if (this.#script.every((permission) => permission.for === undefined)) {
      return 'no permission request: "permissions" of input.json has no answer left'
    }
    const entries = this.#script.map((permission) =>
      permission.times !== 'any' && this.#used.has(permission) ? `${inspect(permission)} (used)` : inspect(permission),
    )
    return `a permission request that an answer in "permissions" of input.json is for: ${entries.join(', ')}`
  }

  #tell(sessionId: unknown, response: Response): Response {
    this.#events.asked(sessionId)
    return response
  }

  #choose(permission: ChosenPermission | undefined, subject: Subject, params: Record<string, unknown>): Response {
    const options = Array.isArray(params.options) ? params.options.filter(isRecord) : []
    if (permission && 'outcome' in permission) return CANCELLED
    const chosen = permission && options.find((option) => matches(option, permission))
    if (chosen) return { result: { outcome: { outcome: 'selected', optionId: chosen.optionId } } }
    const expected = permission ? `a permission request with the option ${inspect(permission)}` : this.#nothingLeft
    const offered = options.map(({ optionId, kind }) => ({ optionId, kind }))
    const asked = `${inspect(subject.title)}${subject.kind === undefined ? '' : ` (kind ${inspect(subject.kind)})`}`
    this.#events.fail(new StepError(expected, `session/request_permission for ${asked}, options ${inspect(offered)}`))
    return { error: { code: -32603, message: 'the scenario has no answer to this permission request' } }
  }
}

type LeftOpen = Extract<Permission, { kind: 'leaveOpen' }>
type ChosenPermission = Exclude<Permission, LeftOpen>

function isLeftOpen(permission: Permission): permission is LeftOpen {
  return 'kind' in permission && permission.kind === 'leaveOpen'
}

function matches(option: Record<string, unknown>, permission: ChosenPermission): boolean {
  if ('kind' in permission) return option.kind === permission.kind
  return 'optionId' in permission && option.optionId === permission.optionId
}
