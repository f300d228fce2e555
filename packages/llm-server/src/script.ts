import type { ConditionalAnswer, ScriptAnswer, ServerAnswer } from './server-answer.ts'

/** An answer, and how often it was taken. */
interface Entry {
  /** Its place in the script, from 0, as in the errors of `parseScript`. */
  place: number
  /** The text that a call must contain. Without one, the answer is served in order. */
  contains: string | undefined
  /** Whether the answer may be taken again. */
  reusable: boolean
  answer: ServerAnswer
  taken: number
}

/** Picks the answer to each call. */
export class Script {
  readonly #entries: Entry[] = []
  readonly #repeat: boolean
  /** How many answers were taken in order. */
  #served = 0
  #calls = 0

  /** @param repeat whether the script starts again when it is used up */
  constructor(answers: readonly ScriptAnswer[], repeat: boolean) {
    this.#repeat = repeat
    this.add(answers)
  }

  add(answers: readonly ScriptAnswer[]): void {
    for (const given of answers) {
      const { when, times, answer } = isConditional(given) ? given : { answer: given }
      const reusable = times === 'any' || this.#repeat
      this.#entries.push({ place: this.#entries.length, contains: when?.contains, reusable, answer, taken: 0 })
    }
  }

  /**
   * Takes the answer to a call. Its id says the place in the script, which does not depend on the order of concurrent calls.
   *
   * @param body the parsed body of the call
   */
  next(body: unknown): { id: string; answer: ServerAnswer } | undefined {
    this.#calls += 1
    const entry = this.#fitting(body) ?? this.#following()
    if (!entry) return undefined
    entry.taken += 1
    return { id: entry.taken === 1 ? `${entry.place}` : `${entry.place}_${entry.taken}`, answer: entry.answer }
  }

  /** Why the last call has no answer. */
  get problem(): string {
    const ordered = this.#ordered.length
    const conditions = ordered < this.#entries.length ? ' in order, and no "when" fits' : ''
    return `got call ${this.#calls}, but the script has only ${ordered} answers${conditions}`
  }

  /** The places of the answers that no call has taken. An answer that may be taken again may also be left. */
  get untaken(): number[] {
    return this.#entries.filter(({ taken, reusable }) => taken === 0 && !reusable).map(({ place }) => place)
  }

  get #ordered(): Entry[] {
    return this.#entries.filter(({ contains }) => contains === undefined)
  }

  #fitting(body: unknown): Entry | undefined {
    const json = JSON.stringify(body) ?? ''
    return this.#entries.find(
      ({ contains, taken, reusable }) => contains !== undefined && (taken === 0 || reusable) && holds(json, contains),
    )
  }

  #following(): Entry | undefined {
    const ordered = this.#ordered
    return ordered[this.#repeat ? this.#served++ % ordered.length : this.#served++]
  }
}

/** Whether a text stands in a JSON text, or in one of its strings. */
function holds(json: string, text: string): boolean {
  return json.includes(text) || json.includes(JSON.stringify(text).slice(1, -1))
}

function isConditional(answer: ScriptAnswer): answer is ConditionalAnswer {
  return typeof answer === 'object' && 'when' in answer
}
