/** Text that keeps its first bytes and only counts the rest, so that a large output does not fill the memory. */
export class CappedText {
  readonly #max: number
  #text = ''
  #kept = 0
  #bytes = 0

  /** @param max how many bytes of UTF-8 to keep */
  constructor(max: number) {
    this.#max = max
  }

  /** Appends as much as fits. It never splits a character, and keeps nothing after the first cut. */
  add(text: string): void {
    const size = Buffer.byteLength(text)
    const open = !this.truncated
    this.#bytes += size
    if (!open) return
    const fitting = size <= this.#max - this.#kept ? text : firstBytes(text, this.#max - this.#kept)
    this.#text += fitting
    this.#kept += Buffer.byteLength(fitting)
  }

  get text(): string {
    return this.#text
  }

  /** The size of everything that was added, in bytes of UTF-8. */
  get bytes(): number {
    return this.#bytes
  }

  get truncated(): boolean {
    return this.#bytes > this.#kept
  }
}

function firstBytes(text: string, max: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(max))
  return text.slice(0, read)
}
