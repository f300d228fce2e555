import { LlmError } from '@acp-snapshot/llm/error'
import type { ContentBlock, StreamChunk } from '@acp-snapshot/session'
import type { Delta, ToolCallDelta } from './provider-chunk.ts'

type OpenBlock = Exclude<ContentBlock, { type: 'tool-result' }>
type Opened<B extends OpenBlock> = { index: number; block: B }
type TextType = 'text' | 'reasoning'

/**
 * The growing blocks of one answer. A block begins with its first delta, and indexes count from 0 in that order. Every
 * block stays open until the answer ends, as in the logs of DeepSeek's own harness: the provider does not mark its end.
 */
export class OpenBlocks {
  readonly #texts = new Map<TextType, Opened<{ type: TextType; text: string }>>()
  /** By the provider's index of the call. */
  readonly #calls = new Map<number, Opened<Extract<OpenBlock, { type: 'tool-call' }>>>()
  readonly #all: OpenBlock[] = []

  end(): StreamChunk[] {
    return this.#all.map((block, index) => ({ type: 'block-end', index, block }))
  }

  /** The chunks for one delta of the provider. An empty text yields no chunk. */
  *add(delta: Delta): Generator<StreamChunk> {
    if (delta.reasoning_content) yield* this.#text('reasoning', delta.reasoning_content)
    if (delta.content) yield* this.#text('text', delta.content)
    for (const call of delta.tool_calls ?? []) yield* this.#toolCall(call)
  }

  *#text(type: TextType, text: string): Generator<StreamChunk> {
    let opened = this.#texts.get(type)
    if (!opened) {
      opened = this.#open({ type, text: '' })
      this.#texts.set(type, opened)
      yield { type: 'block-start', index: opened.index, blockType: type }
    }
    opened.block.text += text
    yield { type: `${type}-delta`, index: opened.index, text }
  }

  /** Only the first delta of a call has its id and name; each chunk repeats them. */
  *#toolCall(delta: ToolCallDelta): Generator<StreamChunk> {
    let opened = this.#calls.get(delta.index)
    if (!opened) {
      opened = this.#open(newToolCall(delta))
      this.#calls.set(delta.index, opened)
      yield { type: 'block-start', index: opened.index, blockType: 'tool-call' }
    }
    const argumentsDelta = delta.function?.arguments ?? ''
    opened.block.arguments += argumentsDelta
    const { id, name } = opened.block
    yield { type: 'tool-call-delta', index: opened.index, id, name, argumentsDelta }
  }

  #open<B extends OpenBlock>(block: B): Opened<B> {
    return { index: this.#all.push(block) - 1, block }
  }
}

function newToolCall({ index, id, function: fn }: ToolCallDelta): Extract<OpenBlock, { type: 'tool-call' }> {
  if (!id || !fn?.name) throw new LlmError('BAD_STREAM', `tool call ${index} began without an id and a name`)
  return { type: 'tool-call', id, name: fn.name, arguments: '' }
}
