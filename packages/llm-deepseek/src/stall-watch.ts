/** Aborts its signal when the provider was waited for, and not heard, for `ms`. */
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

  /** The provider's turn: the clock runs from now. */
  wait(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#controller.abort(), this.#ms)
  }

  /** The provider said something. */
  heard(): void {
    if (this.#timer) this.wait()
  }

  /** Not the provider's turn: the clock stands still. */
  rest(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
