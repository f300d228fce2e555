const MAX_CHUNKS = 1000

/** Keeps the last `maxBytes` bytes of a stream of text, and counts the dropped bytes. */
export class Tail {
  readonly #maxBytes: number
  #chunks: Buffer[] = []
  #size = 0
  #cut = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    // Not at each chunk: a command may write gigabytes, or byte by byte.
    if (this.#size > 2 * this.#maxBytes || this.#chunks.length > MAX_CHUNKS) this.#trim()
  }

  /** The kept bytes, from the first whole character on. */
  get bytes(): Buffer {
    const kept = this.#trim()
    return kept.subarray(this.#cut === 0 ? 0 : firstWholeCharacter(kept))
  }

  /** How many bytes were dropped. */
  get cut(): number {
    this.#trim()
    return this.#cut
  }

  /** The kept text. If bytes were dropped, the first line says how many. */
  get text(): string {
    const kept = this.#trim()
    if (this.#cut === 0) return kept.toString('utf8')
    const start = firstWholeCharacter(kept)
    return `[… ${this.#cut + start} bytes cut …]\n${kept.subarray(start).toString('utf8')}`
  }

  #trim(): Buffer {
    const all = Buffer.concat(this.#chunks)
    const kept = all.subarray(Math.max(0, all.length - this.#maxBytes))
    this.#cut += all.length - kept.length
    this.#chunks = [kept]
    this.#size = kept.length
    return kept
  }
}

/** A cut may split a character: it has at most three continuation bytes (10xxxxxx). */
function firstWholeCharacter(bytes: Buffer): number {
  let start = 0
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  return start
}
