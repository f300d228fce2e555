import * as z from 'zod'

/** One block of a message, as stored in the log and as sent to the model. */
export type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'tool-call'; id: string; name: string; arguments: string }
  | { type: 'tool-result'; toolCallId: string; content: ContentBlock[]; isError?: boolean | undefined }

/** Token counts of one model call. `inputTokens` excludes tokens read from the cache. */
export interface Usage {
  inputTokens: number
  outputTokens: number
  cacheReadTokens?: number | undefined
  cacheWriteTokens?: number | undefined
  reasoningTokens?: number | undefined
}

export const contentBlockSchema: z.ZodType<ContentBlock> = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('text'), text: z.string() }),
    z.looseObject({ type: z.literal('reasoning'), text: z.string() }),
    z.looseObject({ type: z.literal('tool-call'), id: z.string(), name: z.string(), arguments: z.string() }),
    z.looseObject({
      type: z.literal('tool-result'),
      toolCallId: z.string(),
      content: z.array(contentBlockSchema),
      isError: z.boolean().optional(),
    }),
  ]),
)

const count = z.number().int().nonnegative()

export const usageSchema = z.looseObject({
  inputTokens: count,
  outputTokens: count,
  cacheReadTokens: count.optional(),
  cacheWriteTokens: count.optional(),
  reasoningTokens: count.optional(),
})
