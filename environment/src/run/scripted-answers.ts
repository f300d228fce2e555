import { count } from '../scenario/fault.ts'
import type { ScriptedAnswer } from '../scenario/input/parse-input.ts'
import { inspect, StepError } from '../scenario-error.ts'
import type { Response } from './message.ts'

/** The answers of the script to requests of the agent, by method. One instance serves the run, across restarts. */
export class ScriptedAnswers {
  readonly #script: readonly ScriptedAnswer[]
  readonly #fill: <T>(answer: T) => T
  readonly #used = new Set<ScriptedAnswer>()

  /** @param fill replaces the placeholders in an answer */
  constructor(script: readonly ScriptedAnswer[], fill: <T>(answer: T) => T) {
    this.#script = script
    this.#fill = fill
  }

  /** The next answer to a request; `undefined` when the script has none left. */
  take(method: string): Response | undefined {
    const answer = this.#script.find((entry) => entry.method === method && this.#isLeft(entry))
    if (!answer) return undefined
    this.#used.add(answer)
    const { result, error } = this.#fill(answer)
    return error ? { error } : { result: result ?? null }
  }

  /** The problem when the script has answers that no request used. */
  unusedProblem(): StepError | undefined {
    const unused = this.#script.findIndex((answer) => answer.times !== 'any' && !this.#used.has(answer))
    if (unused === -1) return undefined
    const entry = this.#script[unused]
    const expected = this.#script.filter(({ method }) => method === entry?.method).length
    return new StepError(
      `${count(expected, 'request')} ${entry?.method}, one for each such entry of "answers"`,
      `fewer: ${inspect(entry)}, answers[${unused}] of input.json, was not used`,
    )
  }

  #isLeft(answer: ScriptedAnswer): boolean {
    return answer.times === 'any' || !this.#used.has(answer)
  }
}
