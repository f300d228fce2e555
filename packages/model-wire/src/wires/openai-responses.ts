import type { StreamChunk, Usage } from '@acp-snapshot/session'
import { type Answer, type AnswerBlock, failureOf, gatherAnswer } from '../answer.ts'
import { field, pathOf, routeCall } from '../request.ts'
import { printTyped } from '../sse.ts'
import type { Call, Wire } from '../wire.ts'

/**
 * OpenAI's Responses.
 *
 * @see https://platform.openai.com/docs/api-reference/responses-streaming
 */
export const openaiResponses: Wire = {
  name: 'openai-responses',
  route(request) {
    if (!pathOf(request).endsWith('/responses')) return undefined
    const { body } = request
    return routeCall(request, {
      model: field(body, 'model'),
      stream: field(body, 'stream') === true,
      problem: field(body, 'input') === undefined ? 'expected a JSON body with an input' : undefined,
    })
  },
  // Its errors are those of chat completions, which get the unknown paths.
  recognizes: () => false,
  events: (chunks, call) => toEvents(chunks, call).map(toNumbered).map(printTyped),
  end: [],
  body(chunks, call) {
    const answer = gatherAnswer(chunks)
    return toResponse(call, answer, toOutput(answer, call))
  },
  error: errorBody,
  malformed: 'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta"\n\n',
  unansweredStatus: 400,
}

const ERRORS: Readonly<Record<number, { type: string; code: string | null; message: string }>> = {
  401: { type: 'invalid_request_error', code: 'invalid_api_key', message: 'Incorrect API key provided' },
  403: { type: 'invalid_request_error', code: 'unsupported_country_region_territory', message: 'Not allowed' },
  404: { type: 'invalid_request_error', code: 'model_not_found', message: 'The model does not exist' },
  429: { type: 'requests', code: 'rate_limit_exceeded', message: 'Rate limit reached' },
}

const INVALID = { type: 'invalid_request_error', code: null, message: 'Invalid request' }
const SERVER_ERROR = { type: 'server_error', code: 'server_error', message: 'The server had an error' }

/** Only the provider can read its own, so any text will do. */
const ENCRYPTED = 'ZW5jcnlwdGVk'

type Event = { type: string } & Record<string, unknown>

type Item = { id: string } & Record<string, unknown>

function toNumbered(event: Event, sequence_number: number): Event {
  return { ...event, sequence_number }
}

function toEvents(chunks: readonly StreamChunk[], call: Call): Event[] {
  const answer = gatherAnswer(chunks)
  const { blocks, open, finish } = answer
  const started = toResponse(call, { usage: undefined, finish: undefined }, [])
  const items = blocks.flatMap((block, index) => toItemEvents(block, toItem(block, index, call), index, block === open))
  const events = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
  ]
  if (finish === undefined) return [...events, ...items]
  const response = toResponse(call, answer, toOutput(answer, call))
  return [...events, ...items, { type: `response.${response.status}`, response }]
}

/** The events of one output item. An open item has no end. */
function toItemEvents(block: AnswerBlock, item: Item, index: number, open: boolean): Event[] {
  const { begin, delta, end, added } = PARTS[block.type]
  const text = block.deltas.join('')
  const place = { item_id: item.id, output_index: index, ...(block.type !== 'tool-call' && PLACES[block.type]) }
  const start = [
    { type: 'response.output_item.added', output_index: index, item: { ...item, ...added } },
    ...begin.map((event) => ({ ...event, ...place })),
    ...block.deltas.map((piece) => ({ type: delta, ...place, delta: piece })),
  ]
  if (open) return start
  const done = { type: 'response.output_item.done', output_index: index, item }
  return [...start, ...end(text).map((event) => ({ ...event, ...place })), done]
}

const PLACES = { text: { content_index: 0 }, reasoning: { summary_index: 0 } }

/** The events of each type of block: before its deltas, its deltas, and after. `added` is the item when it is empty. */
const PARTS: Readonly<
  Record<
    AnswerBlock['type'],
    { added: Record<string, unknown>; begin: Event[]; delta: string; end: (text: string) => Event[] }
  >
> = {
  text: {
    added: { status: 'in_progress', content: [] },
    begin: [{ type: 'response.content_part.added', part: toText('') }],
    delta: 'response.output_text.delta',
    end: (text) => [
      { type: 'response.output_text.done', text },
      { type: 'response.content_part.done', part: toText(text) },
    ],
  },
  reasoning: {
    added: { summary: [] },
    begin: [{ type: 'response.reasoning_summary_part.added', part: toSummary('') }],
    delta: 'response.reasoning_summary_text.delta',
    end: (text) => [
      { type: 'response.reasoning_summary_text.done', text },
      { type: 'response.reasoning_summary_part.done', part: toSummary(text) },
    ],
  },
  'tool-call': {
    added: { status: 'in_progress', arguments: '' },
    begin: [],
    delta: 'response.function_call_arguments.delta',
    end: (text) => [{ type: 'response.function_call_arguments.done', arguments: text }],
  },
}

function toOutput({ blocks }: Answer, call: Call): Item[] {
  return blocks.map((block, index) => toItem(block, index, call))
}

/** A complete output item. */
function toItem(block: AnswerBlock, index: number, { answerId }: Call): Item {
  const text = block.deltas.join('')
  const id = `${answerId}_${index}`
  switch (block.type) {
    case 'text':
      return { id: `msg_${id}`, type: 'message', status: 'completed', role: 'assistant', content: [toText(text)] }
    case 'reasoning':
      return { id: `rs_${id}`, type: 'reasoning', summary: [toSummary(text)], encrypted_content: ENCRYPTED }
    case 'tool-call': {
      const call = { call_id: block.id, name: block.name, arguments: text }
      return { id: `fc_${id}`, type: 'function_call', status: 'completed', ...call }
    }
  }
}

function toText(text: string) {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

function toSummary(text: string) {
  return { type: 'summary_text', text }
}

function toResponse({ model, answerId }: Call, { usage, finish }: Pick<Answer, 'usage' | 'finish'>, output: unknown[]) {
  const failure = failureOf(finish)
  const reasons: Readonly<Record<string, string>> = { 'max-tokens': 'max_output_tokens', refusal: 'content_filter' }
  const reason = finish && reasons[finish.kind]
  const done = reason === undefined ? 'completed' : 'incomplete'
  return {
    id: `resp_${answerId}`,
    object: 'response',
    created_at: 0,
    status: finish === undefined ? 'in_progress' : failure ? 'failed' : done,
    error: failure ? { code: 'server_error', message: failure.message } : null,
    incomplete_details: reason === undefined ? null : { reason },
    model,
    output,
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    usage: usage ? toUsage(usage) : null,
  }
}

function toUsage({ inputTokens, outputTokens, cacheReadTokens = 0, reasoningTokens = 0 }: Usage) {
  const input = inputTokens + cacheReadTokens
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheReadTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: input + outputTokens,
  }
}

function errorBody(status: number, message?: string): unknown {
  const error = ERRORS[status] ?? (status < 500 ? INVALID : SERVER_ERROR)
  return { error: { message: message ?? error.message, type: error.type, param: null, code: error.code } }
}
