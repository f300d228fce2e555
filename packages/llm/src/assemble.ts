import type { ContentBlock, FinishReason, StreamChunk, Usage } from '@acp-snapshot/session'

/** One model answer, assembled from its chunks. `finish` is absent while the stream runs. */
export interface Answer {
  content: ContentBlock[]
  usage?: Usage
  finish?: FinishReason
}

/**
 * Builds an answer from chunks. It takes each block from its `block-end`, which holds the whole block. It drops blocks
 * that a cut stream left open.
 */
export class Assembler {
  readonly #blocks = new Map<number, ContentBlock>()
  #usage: Usage | undefined
  #finish: FinishReason | undefined

  /** @throws Error for a chunk after `finish`, which breaks the contract of {@link StreamChunk} */
  add(chunk: StreamChunk): void {
    if (this.#finish) throw new Error(`the model's stream sent ${chunk.type} after finish`)
    if (chunk.type === 'block-end') this.#blocks.set(chunk.index, chunk.block)
    if (chunk.type === 'usage') this.#usage = chunk.usage
    if (chunk.type === 'finish') this.#finish = chunk.reason
  }

  /** The answer so far, its blocks in the order of their index. */
  get answer(): Answer {
    const byIndex = [...this.#blocks].sort(([a], [b]) => a - b)
    return {
      content: byIndex.map(([, block]) => block),
      ...(this.#usage && { usage: this.#usage }),
      ...(this.#finish && { finish: this.#finish }),
    }
  }
}
