import { LlmError } from '@acp-snapshot/llm/error'
import type { FinishReason, Usage } from '@acp-snapshot/session'
import * as z from 'zod'

const toolCallDelta = z.looseObject({
  index: z.number().int().nonnegative(),
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
})

const delta = z.looseObject({
  reasoning_content: z.string().nullish(),
  content: z.string().nullish(),
  tool_calls: z.array(toolCallDelta).nullish(),
})

const usage = z.looseObject({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  prompt_cache_hit_tokens: z.number().nullish(),
  prompt_tokens_details: z.looseObject({ cached_tokens: z.number().nullish() }).nullish(),
  completion_tokens_details: z.looseObject({ reasoning_tokens: z.number().nullish() }).nullish(),
})

const providerChunk = z.looseObject({
  choices: z.array(z.looseObject({ delta: delta.nullish(), finish_reason: z.string().nullish() })),
  usage: usage.nullish(),
})

export type ToolCallDelta = z.output<typeof toolCallDelta>
export type Delta = z.output<typeof delta>
export type ProviderUsage = z.output<typeof usage>
type ProviderChunk = z.output<typeof providerChunk>

/** Parses one event of the stream: an OpenAI chat completion chunk, with DeepSeek's `reasoning_content`. @throws LlmError `BAD_STREAM` */
export function parseProviderChunk(value: unknown): ProviderChunk {
  const result = providerChunk.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const where = issue?.path.join('.') || 'the event'
  throw new LlmError('BAD_STREAM', `expected a chat completion chunk: ${where}: ${issue?.message}`)
}

/** DeepSeek includes cached tokens in `prompt_tokens`; the log counts them separately. */
export function toUsage(usage: ProviderUsage): Usage {
  const cached = usage.prompt_cache_hit_tokens ?? usage.prompt_tokens_details?.cached_tokens
  const reasoning = usage.completion_tokens_details?.reasoning_tokens
  return {
    inputTokens: usage.prompt_tokens - (cached ?? 0),
    outputTokens: usage.completion_tokens,
    ...(typeof cached === 'number' && { cacheReadTokens: cached }),
    ...(typeof reasoning === 'number' && { reasoningTokens: reasoning }),
  }
}

/** @see https://api-docs.deepseek.com/api/create-chat-completion `finish_reason`. @throws LlmError `BAD_STREAM` for an unknown reason */
export function toFinishReason(reason: string): FinishReason {
  switch (reason) {
    case 'stop':
      return { kind: 'stop' }
    case 'tool_calls':
      return { kind: 'tool-calls' }
    case 'length':
      return { kind: 'max-tokens' }
    case 'content_filter':
      return { kind: 'refusal', message: "the provider's content filter stopped the answer" }
    case 'insufficient_system_resource':
      return {
        kind: 'error',
        message: 'the provider ran out of resources and stopped the answer',
        code: 'INSUFFICIENT_SYSTEM_RESOURCE',
      }
    default:
      throw new LlmError('BAD_STREAM', `the provider finished with an unknown reason ${JSON.stringify(reason)}`)
  }
}
