/** Text that keeps its first bytes and counts the rest, so that a command that floods costs no memory. */
export class CappedText {
  readonly #max: number
  #text = ''
  #kept = 0
  #bytes = 0

  /** @param max how many bytes of UTF-8 are kept */
  constructor(max: number) {
    this.#max = max
  }

  /** Appends as much as fits. The cut never splits a character, and nothing is kept after it. */
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

  /** How many bytes came, the cut ones included. */
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
