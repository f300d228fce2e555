import type { FinishReason, StreamChunk, Usage } from '@acp-snapshot/session'
import { type Answer, type AnswerBlock, failureOf, gatherAnswer, parseArguments, wholeBlocks } from '../answer.ts'
import { field, pathOf, routeCall, routeCount, routeModels, TOKENS } from '../request.ts'
import { printData } from '../sse.ts'
import type { Call, Wire } from '../wire.ts'

/**
 * Gemini's `generateContent` and `streamGenerateContent?alt=sse`. A tool call is one part: its arguments are not streamed.
 *
 * @see https://ai.google.dev/api/generate-content
 */
export const gemini: Wire = {
  name: 'gemini',
  route(request) {
    const [, model, verb] = METHOD.exec(pathOf(request)) ?? []
    if (verb === 'countTokens') return routeCount(request, { totalTokens: TOKENS })
    if (verb === 'generateContent' || verb === 'streamGenerateContent') {
      const stream = verb === 'streamGenerateContent'
      return routeCall(request, { model, stream, problem: problemOf(request.body, stream, request.path) })
    }
    return routeModels(request, 'v1beta/models', { one: toModel, list: (id) => ({ models: [toModel(id)] }) })
  },
  recognizes: (request) => request.headers['x-goog-api-key'] !== undefined || OWN.test(pathOf(request)),
  events: toEvents,
  end: [],
  body(chunks, call) {
    const answer = gatherAnswer(chunks)
    return toResponse(call, wholeBlocks(answer).map(wholePart), answer)
  },
  error: errorBody,
  malformed: 'data: {"candidates":[{"content"\n\n',
  unansweredStatus: 400,
}

/** A method of a model. */
const METHOD = /\/models\/([^/:]+):(\w+)$/

/** Paths that no other API has. */
const OWN = /\/v1(?:alpha|beta)\/|:\w+$/

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

function problemOf(body: unknown, stream: boolean, path: string): string | undefined {
  if (!Array.isArray(field(body, 'contents'))) return 'expected a JSON body with an array of contents'
  // Without alt=sse, the provider streams one JSON array, which no agent asks for.
  if (stream && !/[?&]alt=sse(&|$)/.test(path)) return 'expected ?alt=sse'
  return undefined
}

/**
 * One event for each delta, then one with the finish reason and the usage. An error is no event: it comes as plain JSON.
 *
 * @see https://github.com/googleapis/js-genai/issues/461
 */
function toEvents(chunks: readonly StreamChunk[], call: Call): string[] {
  const answer = gatherAnswer(chunks)
  const { finish } = answer
  const begun = { usage: undefined, finish: undefined }
  const parts = wholeBlocks(answer).flatMap(partsOf)
  const events = parts.map((part) => printData(toResponse(call, [part], begun)))
  if (finish === undefined) return events
  const failure = failureOf(finish)
  if (failure) return [...events, `${JSON.stringify(errorBody(500, failure.message))}\n\n`]
  return [...events, printData(toResponse(call, [{ text: '' }], answer))]
}

/** A part for each delta, and one for a tool call. */
function partsOf(block: AnswerBlock): unknown[] {
  const { type, deltas } = block
  return type === 'tool-call' ? [wholePart(block)] : deltas.map((text) => toPart(type, text))
}

function wholePart(block: AnswerBlock): unknown {
  const text = block.deltas.join('')
  if (block.type !== 'tool-call') return toPart(block.type, text)
  return { functionCall: { id: block.id, name: block.name, args: parseArguments(text, block.name) } }
}

function toPart(type: 'text' | 'reasoning', text: string): unknown {
  return type === 'reasoning' ? { text, thought: true } : { text }
}

function toResponse(
  { model, answerId }: Call,
  parts: unknown[],
  { usage, finish }: Pick<Answer, 'usage' | 'finish'>,
): unknown {
  const end = finish && { finishReason: finishWord(finish) }
  return {
    candidates: [{ content: { parts, role: 'model' }, ...end, index: 0 }],
    ...(usage && { usageMetadata: toUsage(usage) }),
    modelVersion: model,
    responseId: answerId,
  }
}

/** Gemini has no word for tool calls. */
function finishWord(finish: FinishReason): string {
  if (finish.kind === 'max-tokens') return 'MAX_TOKENS'
  return finish.kind === 'refusal' ? 'SAFETY' : 'STOP'
}

/** `candidatesTokenCount` excludes thoughts. */
function toUsage({ inputTokens, outputTokens, cacheReadTokens, reasoningTokens = 0 }: Usage) {
  const prompt = inputTokens + (cacheReadTokens ?? 0)
  return {
    promptTokenCount: prompt,
    ...(cacheReadTokens !== undefined && { cachedContentTokenCount: cacheReadTokens }),
    candidatesTokenCount: Math.max(outputTokens - reasoningTokens, 0),
    ...(reasoningTokens > 0 && { thoughtsTokenCount: reasoningTokens }),
    totalTokenCount: prompt + outputTokens,
  }
}

function errorBody(status: number, message?: string): unknown {
  const word = STATUSES[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL')
  return { error: { code: status, message: message ?? word, status: word } }
}

function toModel(id: string): unknown {
  const supportedGenerationMethods = ['generateContent', 'streamGenerateContent', 'countTokens']
  return { name: `models/${id}`, version: '1', displayName: id, supportedGenerationMethods }
}
