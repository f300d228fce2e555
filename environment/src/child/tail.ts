/** Keeps the last `maxBytes` bytes of a stream of text, and counts the dropped bytes. */
export class Tail {
  readonly #maxBytes: number
  #kept: Buffer = Buffer.alloc(0)
  #cut = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  push(chunk: Buffer): void {
    const all = Buffer.concat([this.#kept, chunk])
    const excess = Math.max(0, all.length - this.#maxBytes)
    this.#kept = all.subarray(excess)
    this.#cut += excess
  }

  /** The kept bytes, from the first whole character on. */
  get bytes(): Buffer {
    return this.#kept.subarray(this.#cut === 0 ? 0 : firstWholeCharacter(this.#kept))
  }

  /** How many bytes were dropped. */
  get cut(): number {
    return this.#cut
  }

  /** The kept text. If bytes were dropped, the first line says how many. */
  get text(): string {
    if (this.#cut === 0) return this.#kept.toString('utf8')
    const start = firstWholeCharacter(this.#kept)
    return `[… ${this.#cut + start} bytes cut …]\n${this.#kept.subarray(start).toString('utf8')}`
  }
}

/** A cut may split a character: it has at most three continuation bytes (10xxxxxx). */
function firstWholeCharacter(bytes: Buffer): number {
  let start = 0
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  return start
}
