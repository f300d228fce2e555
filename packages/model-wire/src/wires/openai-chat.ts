import type { ContentBlock, FinishReason, StreamChunk, Usage } from '@acp-snapshot/session'
import { gatherAnswer } from '../answer.ts'
import { field, pathOf, routeCall, routeModels } from '../request.ts'
import { printData } from '../sse.ts'
import type { Call, Wire } from '../wire.ts'

/**
 * Chat completions, with `reasoning_content` and the errors of DeepSeek.
 *
 * @see https://api-docs.deepseek.com/api/create-chat-completion
 */
export const openaiChat: Wire = {
  name: 'openai-chat',
  route(request) {
    if (!pathOf(request).endsWith('/chat/completions')) {
      return routeModels(request, 'models', { one: toModel, list: toModels })
    }
    const stream = field(request.body, 'stream') === true
    return routeCall(request, {
      model: field(request.body, 'model'),
      stream,
      problem: stream || Array.isArray(field(request.body, 'messages')) ? undefined : NO_CALL,
    })
  },
  // Most other APIs have errors of this shape.
  recognizes: () => true,
  events: (chunks, call) => toProviderEvents(chunks, call).map(printData),
  end: ['data: [DONE]\n\n'],
  body: toCompletion,
  error: errorBody,
  malformed: 'data: {"choices":[{"delta"\n\n',
  unansweredStatus: 500,
}

const NO_CALL = 'expected a JSON body with "stream": true or an array of messages'

/**
 * Turns chunks into the JSON events of DeepSeek's stream: the inverse of `toStreamChunks` in `llm-deepseek`.
 * The stream does not mark blocks: a block begins with its first delta. Usage is part of the event with the `finish_reason`.
 */
function toProviderEvents(chunks: readonly StreamChunk[], call: Call): unknown[] {
  const spoken = new Set<number>()
  const calls: number[] = []
  let usage: Usage | undefined

  const toEvents = (chunk: StreamChunk): unknown[] => {
    switch (chunk.type) {
      case 'block-start':
        return []
      case 'text-delta':
        spoken.add(chunk.index)
        return [deltaEvent(call, { content: chunk.text, reasoning_content: null })]
      case 'reasoning-delta':
        spoken.add(chunk.index)
        return [deltaEvent(call, { content: null, reasoning_content: chunk.text })]
      case 'tool-call-delta': {
        spoken.add(chunk.index)
        const first = !calls.includes(chunk.index)
        if (first) calls.push(chunk.index)
        const fn = { ...(first && { name: chunk.name }), arguments: chunk.argumentsDelta }
        const head = first && { id: chunk.id, type: 'function' }
        return [deltaEvent(call, { tool_calls: [{ index: calls.indexOf(chunk.index), ...head, function: fn }] })]
      }
      case 'block-end':
        return spoken.has(chunk.index) ? [] : wholeDelta(chunk.index, chunk.block).flatMap(toEvents)
      case 'usage':
        usage = chunk.usage
        return []
      case 'finish':
        return [finishEvent(call, chunk.reason, usage)]
    }
  }

  return [deltaEvent(call, { role: 'assistant', content: '' }), ...chunks.flatMap(toEvents)]
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

function deltaEvent(call: Call, delta: Record<string, unknown>): unknown {
  return completionChunk(call, { index: 0, delta, logprobs: null, finish_reason: null }, null)
}

/** A finish without an equivalent in the API becomes an error event. */
function finishEvent(call: Call, reason: FinishReason, usage: Usage | undefined): unknown {
  const word = finishWord(reason)
  if (word === undefined) return errorBody(500, 'message' in reason ? reason.message : undefined)
  const choice = { index: 0, delta: { content: '', reasoning_content: null }, logprobs: null, finish_reason: word }
  return completionChunk(call, choice, usage ? toProviderUsage(usage) : null)
}

function completionChunk({ model, answerId }: Call, choice: Record<string, unknown>, usage: unknown): unknown {
  return { id: `chatcmpl_${answerId}`, object: 'chat.completion.chunk', created: 0, model, choices: [choice], usage }
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

/** The answer to a request without `stream`. */
function toCompletion(chunks: readonly StreamChunk[], { model, answerId }: Call): unknown {
  const { blocks, usage, finish } = gatherAnswer(chunks)
  const join = (type: 'text' | 'reasoning') =>
    blocks.flatMap((block) => (block.type === type ? block.deltas : [])).join('')
  const calls = blocks.flatMap((block) =>
    block.type === 'tool-call'
      ? [{ id: block.id, type: 'function', function: { name: block.name, arguments: block.deltas.join('') } }]
      : [],
  )
  const reasoning = join('reasoning')
  const message = {
    role: 'assistant',
    content: join('text'),
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  const choice = { index: 0, message, logprobs: null, finish_reason: finish && finishWord(finish) }
  const head = { id: `chatcmpl_${answerId}`, object: 'chat.completion', created: 0, model, choices: [choice] }
  return { ...head, usage: usage ? toProviderUsage(usage) : null }
}

/** The provider's words for each status. @see https://api-docs.deepseek.com/quick_start/error_codes */
const ERRORS: Readonly<Record<number, { message: string; type: string; code: string }>> = {
  400: { message: 'Invalid request body format', type: 'invalid_request_error', code: 'invalid_request_error' },
  401: {
    message: 'Authentication Fails, Your api key is invalid',
    type: 'authentication_error',
    code: 'invalid_request_error',
  },
  402: { message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' },
  422: { message: 'Invalid parameters', type: 'invalid_request_error', code: 'invalid_request_error' },
  429: { message: 'Rate limit reached', type: 'rate_limit_error', code: 'rate_limit_reached' },
  503: { message: 'The server is overloaded', type: 'service_unavailable_error', code: 'service_unavailable' },
}

const INVALID = { message: 'Invalid request', type: 'invalid_request_error', code: 'invalid_request_error' }
const OTHER = { message: 'Server error', type: 'server_error', code: 'internal_server_error' }

/** The provider's error body for a status, with the given message or the provider's own. */
function errorBody(status: number, message?: string): unknown {
  const error = ERRORS[status] ?? (status < 500 ? INVALID : OTHER)
  return { error: { message: message ?? error.message, type: error.type, param: null, code: error.code } }
}

function toModels(id: string): unknown {
  return { object: 'list', data: [toModel(id)] }
}

function toModel(id: string): unknown {
  return { id, object: 'model', created: 0, owned_by: 'any' }
}
