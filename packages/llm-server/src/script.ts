import type { ConditionalAnswer, ScriptAnswer, ServerAnswer } from './server-answer.ts'

/** Picks the answer to each call. */
export class Script {
  readonly #conditional: ConditionalAnswer[] = []
  readonly #ordered: ServerAnswer[] = []
  readonly #repeat: boolean
  /** How many answers were taken in order. */
  #served = 0
  #calls = 0

  /** @param repeat whether the answers in order start again when they are used up */
  constructor(answers: readonly ScriptAnswer[], repeat: boolean) {
    this.#repeat = repeat
    this.add(answers)
  }

  add(answers: readonly ScriptAnswer[]): void {
    for (const answer of answers) {
      if (isConditional(answer)) this.#conditional.push(answer)
      else this.#ordered.push(answer)
    }
  }

  /** @param body the parsed body of the call */
  next(body: unknown): ServerAnswer | undefined {
    this.#calls += 1
    const said = JSON.stringify(body) ?? ''
    const at = this.#conditional.findIndex(({ when }) => said.includes(JSON.stringify(when.contains).slice(1, -1)))
    const fitting = this.#conditional[at]
    if (fitting) {
      if (fitting.times !== 'any') this.#conditional.splice(at, 1)
      return fitting.answer
    }
    const count = this.#ordered.length
    return this.#ordered[this.#repeat ? this.#served++ % count : this.#served++]
  }

  /** Why the last call has no answer. */
  get problem(): string {
    const conditions = this.#conditional.length > 0 ? ' in order, and no "when" fits' : ''
    return `llm-server: got call ${this.#calls}, but the script has only ${this.#ordered.length} answers${conditions}`
  }
}

function isConditional(answer: ScriptAnswer): answer is ConditionalAnswer {
  return typeof answer === 'object' && 'when' in answer
}
