import type { ContentBlock, FinishReason, StreamChunk, Usage } from '@acp-snapshot/session'
import { errorBody } from './error-body.ts'

/**
 * Turns chunks into the JSON events of DeepSeek's stream: the inverse of `toStreamChunks` in `llm-deepseek`.
 * The stream does not mark blocks: a block begins with its first delta. Usage is part of the event with the `finish_reason`.
 *
 * @param model echoed in each event, as the provider does
 * @see https://api-docs.deepseek.com/api/create-chat-completion
 */
export function toProviderEvents(chunks: readonly StreamChunk[], model: string): unknown[] {
  const spoken = new Set<number>()
  const calls: number[] = []
  let usage: Usage | undefined

  const toEvents = (chunk: StreamChunk): unknown[] => {
    switch (chunk.type) {
      case 'block-start':
        return []
      case 'text-delta':
        spoken.add(chunk.index)
        return [deltaEvent(model, { content: chunk.text, reasoning_content: null })]
      case 'reasoning-delta':
        spoken.add(chunk.index)
        return [deltaEvent(model, { content: null, reasoning_content: chunk.text })]
      case 'tool-call-delta': {
        spoken.add(chunk.index)
        const first = !calls.includes(chunk.index)
        if (first) calls.push(chunk.index)
        const fn = { ...(first && { name: chunk.name }), arguments: chunk.argumentsDelta }
        const head = first && { id: chunk.id, type: 'function' }
        return [deltaEvent(model, { tool_calls: [{ index: calls.indexOf(chunk.index), ...head, function: fn }] })]
      }
      case 'block-end':
        return spoken.has(chunk.index) ? [] : wholeDelta(chunk.index, chunk.block).flatMap(toEvents)
      case 'usage':
        usage = chunk.usage
        return []
      case 'finish':
        return [finishEvent(model, chunk.reason, usage)]
    }
  }

  return [deltaEvent(model, { role: 'assistant', content: '' }), ...chunks.flatMap(toEvents)]
}

/** A hand-written script may contain a block without deltas. */
function wholeDelta(index: number, block: ContentBlock): StreamChunk[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text-delta', index, text: block.text }]
    case 'reasoning':
      return [{ type: 'reasoning-delta', index, text: block.text }]
    case 'tool-call':
      return [{ type: 'tool-call-delta', index, id: block.id, name: block.name, argumentsDelta: block.arguments }]
    case 'tool-result':
      return []
  }
}

function deltaEvent(model: string, delta: Record<string, unknown>): unknown {
  return completionChunk(model, { index: 0, delta, logprobs: null, finish_reason: null }, null)
}

/** A finish without an equivalent in the API becomes an error event. */
function finishEvent(model: string, reason: FinishReason, usage: Usage | undefined): unknown {
  const word = finishWord(reason)
  if (word === undefined) return errorBody(500, 'message' in reason ? reason.message : undefined)
  const choice = { index: 0, delta: { content: '', reasoning_content: null }, logprobs: null, finish_reason: word }
  return completionChunk(model, choice, usage ? toProviderUsage(usage) : null)
}

function completionChunk(model: string, choice: Record<string, unknown>, usage: unknown): unknown {
  return { id: 'llm-server', object: 'chat.completion.chunk', created: 0, model, choices: [choice], usage }
}

function finishWord(reason: FinishReason): string | undefined {
  switch (reason.kind) {
    case 'stop':
      return 'stop'
    case 'tool-calls':
      return 'tool_calls'
    case 'max-tokens':
      return 'length'
    case 'refusal':
      return 'content_filter'
    case 'aborted':
      return undefined
    case 'error':
      if (reason.code === 'INSUFFICIENT_SYSTEM_RESOURCE') return 'insufficient_system_resource'
      return undefined
  }
}

function toProviderUsage(usage: Usage): unknown {
  const { inputTokens, outputTokens, cacheReadTokens, reasoningTokens } = usage
  const promptTokens = inputTokens + (cacheReadTokens ?? 0)
  return {
    prompt_tokens: promptTokens,
    completion_tokens: outputTokens,
    total_tokens: promptTokens + outputTokens,
    ...(cacheReadTokens !== undefined && {
      prompt_tokens_details: { cached_tokens: cacheReadTokens },
      prompt_cache_hit_tokens: cacheReadTokens,
      prompt_cache_miss_tokens: inputTokens,
    }),
    ...(reasoningTokens !== undefined && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  }
}
