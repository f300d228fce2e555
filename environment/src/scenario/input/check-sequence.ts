import type { Permission } from './answer-schema.ts'
import { type ReportProblem, SessionNames } from './session-names.ts'
import { type Step, stepKeys } from './step-schema.ts'

/**
 * Checks the steps together: which sessions exist, which prompts still run, and where `initialize` is required.
 *
 * @param complete whether these are all steps of the script; otherwise more may follow
 * @returns one message per problem, which begins with its step
 */
export function checkSequence(steps: readonly Step[], complete: boolean): string[] {
  const sequence = new Sequence()
  for (const [i, step] of steps.entries()) sequence.add(step, i + 1)
  if (complete) sequence.end(steps.length)
  return sequence.problems
}

/**
 * Checks whether the steps allow the `permissions`.
 *
 * @returns one message per problem
 */
export function checkPermissions(permissions: readonly Permission[], steps: readonly Step[]): string[] {
  const left = permissions.findIndex((permission) => 'kind' in permission && permission.kind === 'leaveOpen')
  if (left === -1 || steps.some(({ op }) => op === 'cancel' || op === 'promptAndCancel')) return []
  return [
    `"permissions[${left}]": leaves a request open until session/cancel, and no step sends it (promptAndCancel, cancel)`,
  ]
}

type SessionStep = Extract<Step, { session?: string | undefined }>

class Sequence {
  readonly problems: string[] = []
  readonly #names = new SessionNames()
  /** The step whose prompt still runs, by session. */
  readonly #running = new Map<number, number>()
  /** Why the next step must be `initialize`, if it must. */
  #fresh: 'the first step' | 'the first step after restart' | undefined = 'the first step'

  add(step: Step, number: number): void {
    const report = (problem: string) => this.problems.push(`step ${number} (${step.op}): ${problem}`)
    if (this.#fresh && step.op !== 'initialize') report(`${this.#fresh} must be initialize`)
    this.#fresh = undefined
    checkPrompt(step, report)
    if (step.op === 'newSession') this.#names.add(step.as, report)
    else if (step.op === 'restart') this.#restart(report)
    else if (isInSession(step)) this.#inSession(step, number, report)
  }

  end(last: number): void {
    if (this.#fresh === 'the first step after restart') {
      this.problems.push(`step ${last} (restart): is the last step; ${this.#fresh} must be initialize`)
    }
    for (const started of this.#running.values()) {
      this.problems.push(`step ${started} (prompt): runs in the background, and no later waitForPrompt waits for it`)
    }
  }

  #inSession(step: SessionStep, number: number, report: ReportProblem): void {
    if ('sessionId' in step && step.sessionId !== undefined) {
      if (step.session !== undefined) report('has both "session" and "sessionId"; a step has one of them')
      return
    }
    const session = this.#names.find(step.session, report)
    if (session === undefined) return
    const started = this.#running.get(session)
    if (step.op === 'waitForPrompt') {
      if (started === undefined) report('no prompt of this session runs in the background')
      this.#running.delete(session)
    }
    if (step.op !== 'prompt' && step.op !== 'promptAndCancel') return
    if (started !== undefined) {
      report(`the prompt of step ${started} still runs in this session; wait for it first (waitForPrompt)`)
    } else if (step.op === 'prompt' && step.background) {
      this.#running.set(session, number)
    }
  }

  #restart(report: ReportProblem): void {
    this.#fresh = 'the first step after restart'
    for (const started of this.#running.values()) {
      report(`the prompt of step ${started} still runs; wait for it first (waitForPrompt)`)
    }
    this.#running.clear()
  }
}

function isInSession(step: Step): step is SessionStep {
  return stepKeys.get(step.op)?.includes('session') === true
}

function checkPrompt(step: Step, report: ReportProblem): void {
  if (step.op !== 'prompt' && step.op !== 'promptExpectError' && step.op !== 'promptAndCancel') return
  const given = [step.text, step.content].filter((value) => value !== undefined).length
  if (given === 0) report('needs "text" or "content"')
  if (given === 2) report('has both "text" and "content"; a prompt has one of them')
}
