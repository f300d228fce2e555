/** Aborts its signal when the adapter has waited for the provider for `ms`. */
export class StallWatch {
  readonly #controller = new AbortController()
  readonly #ms: number
  #timer: NodeJS.Timeout | undefined

  constructor(ms: number) {
    this.#ms = ms
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The provider's turn: the clock starts from zero. */
  wait(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#controller.abort(), this.#ms)
  }

  /** Not the provider's turn: the clock is stopped. */
  rest(): void {
    clearTimeout(this.#timer)
  }
}
