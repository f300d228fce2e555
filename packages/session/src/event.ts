import * as z from 'zod'
import { type StreamChunk, streamChunkSchema } from './chunk.ts'
import { type ContentBlock, contentBlockSchema, type Usage, usageSchema } from './content-block.ts'

/** The only version of the log format that this package reads and writes. */
export const LOG_VERSION = 0

/** Line 0 of a log. `createdAt` is epoch ms; `seedLength` counts the leading events that a child session inherited. */
export interface SessionHeader {
  type: 'session'
  version: typeof LOG_VERSION
  id: string
  createdAt: number
  cwd?: string | undefined
  parentSession?: string | undefined
  seedLength?: number | undefined
}

/** The origin of a user message. */
interface MessageSource {
  kind: string
}

/** How a turn ended. `interrupted` is written on reload, for a turn that a crash interrupted. */
export type TurnEndReason =
  | { kind: 'completed' }
  | { kind: 'aborted'; reason?: string | undefined }
  | { kind: 'error'; step: number; message: string; code?: string | undefined }
  | { kind: 'max-tokens' }
  | { kind: 'rejected'; reason: string }
  | { kind: 'disposed' }
  | { kind: 'interrupted' }

/**
 * Everything a request sends besides the history. `config` is the model and its parameters. In a fixture, the system
 * prompt and the tools are replaced by `{{system}}` and `{{tools}}`.
 */
export interface RequestHeader {
  config: { model: string; [parameter: string]: unknown }
  system?: string | undefined
  tools?: unknown
}

export interface TodoItem {
  content: string
  status: 'pending' | 'in_progress' | 'completed'
}

/** The `data` of each event type that this package knows. Turns and steps count from 1. */
export interface EventData {
  'turn/start': { turn: number; trigger: { kind: string; source?: MessageSource | undefined } }
  'turn/end': { turn: number; reason: TurnEndReason }
  'step/start': { turn: number; step: number }
  'step/end': { turn: number; step: number }
  'user/message': { content: ContentBlock[]; source: MessageSource }
  'request/header': { header: RequestHeader; reason: 'initial' | 'resume' | 'fallback' }
  'assistant/chunk': { turn: number; step: number; chunk: StreamChunk }
  'assistant/message': { turn: number; step: number; content: ContentBlock[]; usage?: Usage | undefined }
  'tool/call': { turn: number; step: number; callId: string; name: string; arguments: string }
  'tool/result': {
    turn: number
    step: number
    callId: string
    content: ContentBlock[]
    isError: boolean
    error?: { name: string; code?: string | undefined } | undefined
    meta?: unknown
  }
  'todo/write': { todos: TodoItem[] }
}

export type EventType = keyof EventData

/**
 * One line of a log after the header. `seq` counts from 0 without gaps, `time` is epoch ms.
 * `surfaceOp` marks an event that adds a message to the model's history; `sourceEventSeqs` lists the events that this one
 * was built from. The type may be unknown to this package: use {@link isEvent} to narrow.
 */
export interface SessionEvent<Type extends string = string, Data = unknown> {
  readonly type: Type
  readonly seq: number
  readonly time: number
  readonly data: Data
  readonly sourceEventSeqs?: readonly number[] | undefined
  readonly surfaceOp?: 'append' | undefined
}

export type EventOf<T extends EventType> = SessionEvent<T, EventData[T]>

/** Whether `event` is of the known type `type`; narrows its `data`. */
export function isEvent<T extends EventType>(event: SessionEvent, type: T): event is EventOf<T> {
  return event.type === type
}

const natural = z.number().int().nonnegative()
const at = { turn: natural, step: natural }

export const headerSchema = z.looseObject({
  type: z.literal('session'),
  version: z.literal(LOG_VERSION),
  id: z.string().min(1),
  createdAt: z.number(),
  cwd: z.string().optional(),
  parentSession: z.string().optional(),
  seedLength: natural.optional(),
})

/** The known event types that add a message to the model's history. */
export const SURFACE_TYPES: ReadonlySet<string> = new Set<EventType>([
  'user/message',
  'assistant/message',
  'tool/result',
])

/** The message in an event of an unknown type, such as a steering message or a hook's context. */
interface ForeignMessage {
  role?: string | undefined
  content: string | ContentBlock[]
}

/** The `data` of an event with `surfaceOp: "append"` whose type is not in {@link SURFACE_TYPES}. */
export const foreignMessageSchema: z.ZodType<ForeignMessage> = z.looseObject({
  role: z.string().optional(),
  content: z.union([z.string(), z.array(contentBlockSchema)]),
})

export const eventSchema = z.looseObject({
  type: z.string().min(1),
  seq: natural,
  time: z.number(),
  data: z.looseObject({}),
  sourceEventSeqs: z.array(natural).optional(),
  surfaceOp: z.literal('append').optional(),
})

const turnEndReason: z.ZodType<TurnEndReason> = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('completed') }),
  z.looseObject({ kind: z.literal('aborted'), reason: z.string().optional() }),
  z.looseObject({
    kind: z.literal('error'),
    step: natural,
    message: z.string(),
    code: z.string().optional(),
  }),
  z.looseObject({ kind: z.literal('max-tokens') }),
  z.looseObject({ kind: z.literal('rejected'), reason: z.string() }),
  z.looseObject({ kind: z.literal('disposed') }),
  z.looseObject({ kind: z.literal('interrupted') }),
])

const source = z.looseObject({ kind: z.string() })

/** The schema of each known event's `data`. Events of other types are kept unchanged. */
export const dataSchemas: { readonly [T in EventType]: z.ZodType<EventData[T]> } = {
  'turn/start': z.looseObject({
    turn: natural,
    trigger: z.looseObject({ kind: z.string(), source: source.optional() }),
  }),
  'turn/end': z.looseObject({ turn: natural, reason: turnEndReason }),
  'step/start': z.looseObject(at),
  'step/end': z.looseObject(at),
  'user/message': z.looseObject({ content: z.array(contentBlockSchema), source }),
  'request/header': z.looseObject({
    header: z.looseObject({
      config: z.looseObject({ model: z.string() }),
      system: z.string().optional(),
      tools: z.unknown().optional(),
    }),
    reason: z.enum(['initial', 'resume', 'fallback']),
  }),
  'assistant/chunk': z.looseObject({ ...at, chunk: streamChunkSchema }),
  'assistant/message': z.looseObject({
    ...at,
    content: z.array(contentBlockSchema),
    usage: usageSchema.optional(),
  }),
  'tool/call': z.looseObject({ ...at, callId: z.string(), name: z.string(), arguments: z.string() }),
  'tool/result': z.looseObject({
    ...at,
    callId: z.string(),
    content: z.array(contentBlockSchema),
    isError: z.boolean(),
    error: z.looseObject({ name: z.string(), code: z.string().optional() }).optional(),
    meta: z.unknown().optional(),
  }),
  'todo/write': z.looseObject({
    todos: z.array(z.looseObject({ content: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) })),
  }),
}
