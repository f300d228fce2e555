import type { FinishReason, StreamChunk, Usage } from '@acp-snapshot/session'
import { type AnswerBlock, failureOf, gatherAnswer, parseArguments, wholeBlocks } from '../answer.ts'
import { field, pathOf, routeCall, routeCount, routeModels, TOKENS } from '../request.ts'
import { printTyped } from '../sse.ts'
import type { Call, Wire, WireRequest } from '../wire.ts'

/**
 * Anthropic's messages.
 *
 * @see https://platform.claude.com/docs/en/build-with-claude/streaming
 */
export const anthropicMessages: Wire = {
  name: 'anthropic-messages',
  route(request) {
    const path = pathOf(request)
    if (path.endsWith('/messages/count_tokens')) return routeCount(request, { input_tokens: TOKENS })
    if (!path.endsWith('/messages')) {
      // The look-ups of chat completions have the same path.
      return recognizes(request) ? routeModels(request, 'models', { one: toModel, list: toModels }) : undefined
    }
    const { body } = request
    return routeCall(request, {
      model: field(body, 'model'),
      stream: field(body, 'stream') === true,
      problem: Array.isArray(field(body, 'messages')) ? undefined : 'expected a JSON body with an array of messages',
    })
  },
  recognizes,
  events: (chunks, call) => toEvents(chunks, call).map(printTyped),
  end: [],
  body: toMessage,
  error: errorBody,
  malformed: 'event: content_block_delta\ndata: {"type":"content_block_delta","delta"\n\n',
  unansweredStatus: 400,
}

/** The model only ever checks a signature that it made, so any text will do. */
const SIGNATURE = 'bGxtLXNlcnZlcg=='

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

type Event = { type: string } & Record<string, unknown>

function recognizes({ headers }: WireRequest): boolean {
  return headers['anthropic-version'] !== undefined
}

function toEvents(chunks: readonly StreamChunk[], call: Call): Event[] {
  const { blocks, open, usage, finish } = gatherAnswer(chunks)
  const events: Event[] = [
    { type: 'message_start', message: message(call, [], null, { ...toUsage(usage), output_tokens: 0 }) },
    { type: 'ping' },
  ]
  for (const [index, block] of blocks.entries()) {
    events.push({ type: 'content_block_start', index, content_block: startOf(block) })
    for (const delta of deltasOf(block)) events.push({ type: 'content_block_delta', index, delta })
    if (block === open) break
    if (block.type === 'reasoning') {
      const delta = { type: 'signature_delta', signature: SIGNATURE }
      events.push({ type: 'content_block_delta', index, delta })
    }
    events.push({ type: 'content_block_stop', index })
  }
  if (finish === undefined) return events
  const failure = failureOf(finish)
  if (failure) return [...events, { type: 'error', error: { type: 'api_error', message: failure.message } }]
  const delta = { stop_reason: stopReason(finish), stop_sequence: null }
  return [...events, { type: 'message_delta', delta, usage: toUsage(usage) }, { type: 'message_stop' }]
}

function toMessage(chunks: readonly StreamChunk[], call: Call): unknown {
  const answer = gatherAnswer(chunks)
  const { usage, finish } = answer
  return message(call, wholeBlocks(answer).map(toContent), finish ? stopReason(finish) : null, toUsage(usage))
}

function message({ model, answerId }: Call, content: unknown[], reason: string | null, usage: unknown) {
  const head = { id: `msg_${answerId}`, type: 'message', role: 'assistant', model }
  return { ...head, content, stop_reason: reason, stop_sequence: null, usage }
}

function startOf(block: AnswerBlock) {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: '' }
    case 'reasoning':
      return { type: 'thinking', thinking: '', signature: '' }
    case 'tool-call':
      return { type: 'tool_use', id: block.id, name: block.name, input: {} }
  }
}

function deltasOf({ type, deltas }: AnswerBlock): unknown[] {
  switch (type) {
    case 'text':
      return deltas.map((text) => ({ type: 'text_delta', text }))
    case 'reasoning':
      return deltas.map((thinking) => ({ type: 'thinking_delta', thinking }))
    case 'tool-call':
      return deltas.map((json) => ({ type: 'input_json_delta', partial_json: json }))
  }
}

function toContent(block: AnswerBlock): unknown {
  const text = block.deltas.join('')
  switch (block.type) {
    case 'text':
      return { type: 'text', text }
    case 'reasoning':
      return { type: 'thinking', thinking: text, signature: SIGNATURE }
    case 'tool-call':
      return { ...startOf(block), input: parseArguments(text, block.name) }
  }
}

function stopReason(finish: FinishReason): string {
  if (finish.kind === 'tool-calls') return 'tool_use'
  if (finish.kind === 'max-tokens') return 'max_tokens'
  return finish.kind === 'refusal' ? 'refusal' : 'end_turn'
}

function toUsage(usage: Usage | undefined) {
  return {
    input_tokens: usage?.inputTokens ?? 0,
    cache_creation_input_tokens: usage?.cacheWriteTokens ?? 0,
    cache_read_input_tokens: usage?.cacheReadTokens ?? 0,
    output_tokens: usage?.outputTokens ?? 0,
  }
}

function errorBody(status: number, message?: string): unknown {
  const type = ERROR_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
  return { type: 'error', error: { type, message: message ?? type }, request_id: null }
}

function toModels(id: string): unknown {
  return { data: [toModel(id)], has_more: false, first_id: id, last_id: id }
}

function toModel(id: string): unknown {
  return { type: 'model', id, display_name: id, created_at: '1970-01-01T00:00:00Z' }
}
