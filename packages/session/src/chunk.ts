import * as z from 'zod'
import { type ContentBlock, contentBlockSchema, type Usage, usageSchema } from './content-block.ts'

/** Why a model call ended. A stream may also fail by throwing: consumers handle both. */
export type FinishReason =
  | { kind: 'stop' }
  | { kind: 'tool-calls' }
  | { kind: 'max-tokens' }
  /** The model, or the provider's content filter, refused to answer. */
  | { kind: 'refusal'; message?: string | undefined }
  | { kind: 'aborted'; message?: string | undefined; code?: string | undefined }
  | { kind: 'error'; message?: string | undefined; code?: string | undefined }

/** One piece of a model's answer. `usage` comes before `finish`, and nothing comes after `finish`. */
export type StreamChunk =
  | { type: 'block-start'; index: number; blockType: 'text' | 'reasoning' | 'tool-call' }
  | { type: 'text-delta'; index: number; text: string }
  | { type: 'reasoning-delta'; index: number; text: string }
  | { type: 'tool-call-delta'; index: number; id: string; name?: string | undefined; argumentsDelta: string }
  | { type: 'block-end'; index: number; block: ContentBlock }
  | { type: 'usage'; usage: Usage }
  | { type: 'finish'; reason: FinishReason }

const index = z.number().int().nonnegative()
const failure = { message: z.string().optional(), code: z.string().optional() }

const finishReasonSchema: z.ZodType<FinishReason> = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('stop') }),
  z.looseObject({ kind: z.literal('tool-calls') }),
  z.looseObject({ kind: z.literal('max-tokens') }),
  z.looseObject({ kind: z.literal('refusal'), message: z.string().optional() }),
  z.looseObject({ kind: z.literal('aborted'), ...failure }),
  z.looseObject({ kind: z.literal('error'), ...failure }),
])

export const streamChunkSchema: z.ZodType<StreamChunk> = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('block-start'),
    index,
    blockType: z.enum(['text', 'reasoning', 'tool-call']),
  }),
  z.looseObject({ type: z.literal('text-delta'), index, text: z.string() }),
  z.looseObject({ type: z.literal('reasoning-delta'), index, text: z.string() }),
  z.looseObject({
    type: z.literal('tool-call-delta'),
    index,
    id: z.string(),
    name: z.string().optional(),
    argumentsDelta: z.string(),
  }),
  z.looseObject({ type: z.literal('block-end'), index, block: contentBlockSchema }),
  z.looseObject({ type: z.literal('usage'), usage: usageSchema }),
  z.looseObject({ type: z.literal('finish'), reason: finishReasonSchema }),
])
