import * as z from 'zod'
import { type StreamChunk, streamChunkSchema } from './chunk.ts'
import { isEvent, type SessionEvent } from './event.ts'
import { parseJsonText } from './json-text.ts'

/** One model call, as `llm-replay` and `llm-server` serve it. */
export type ReplayEntry =
  /** The whole answer. */
  | { kind: 'chunks'; chunks: StreamChunk[] }
  /** Fails after a prefix of chunks, which may be empty. */
  | { kind: 'throw'; chunks: StreamChunk[]; message: string; code: string; status?: number | undefined }
  /** Serves the chunks, then nothing until it is aborted. */
  | { kind: 'hang'; chunks?: StreamChunk[] | undefined }

/** An entry of `replay.override.json`. `session` is the ordinal of the run's session that it serves: 0 when left out. */
export type OverrideEntry = ReplayEntry & { session?: number | undefined }

const chunks = z.array(streamChunkSchema)
const session = z.number().int().nonnegative().optional()

export const overrideSchema: z.ZodType<OverrideEntry[]> = z.array(
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('chunks'), chunks, session }),
    z.strictObject({
      kind: z.literal('throw'),
      chunks,
      message: z.string(),
      code: z.string(),
      status: z.number().int().optional(),
      session,
    }),
    z.strictObject({ kind: z.literal('hang'), chunks: chunks.optional(), session }),
  ]),
)

/** More sessions than any run makes: an ordinal from a file must not make a list of millions. */
const MAX_SESSIONS = 1000

/** A model script that cannot be served. The message says where, and what to do. */
export class ReplayScriptError extends Error {
  override name = 'ReplayScriptError'
}

/**
 * Reads `replay.override.json`, one script for each session of the run, by ordinal.
 *
 * @throws ReplayScriptError when it is not a list of entries, or an answer does not end in `finish`
 */
export function parseOverride(text: string, file: string): ReplayEntry[][] {
  const read = parseJsonText(text)
  if ('problem' in read) throw new ReplayScriptError(`${file}:${read.line}:${read.column}: ${read.problem}`)
  const result = overrideSchema.safeParse(read.value)
  if (!result.success) {
    const issue = result.error.issues[0]
    throw new ReplayScriptError(`${file}: ${issue?.path.join('.')}: ${issue?.message}`)
  }
  const scripts: ReplayEntry[][] = []
  for (const [i, { session = 0, ...entry }] of result.data.entries()) {
    if (entry.kind === 'chunks') requireFinish(entry.chunks, `${file}: entry ${i}`)
    if (session >= MAX_SESSIONS) {
      throw new ReplayScriptError(`${file}: entry ${i}: "session" is ${session}; a run has at most ${MAX_SESSIONS}`)
    }
    while (scripts.length <= session) scripts.push([])
    scripts[session]?.push(entry)
  }
  return scripts
}

/**
 * Derives the model script from a recorded log: the `assistant/chunk` events, grouped by turn and step,
 * one entry a model call.
 *
 * @throws ReplayScriptError for a step whose answer never finishes, or that has none
 */
export function deriveReplayScript(events: readonly SessionEvent[], file = 'session.jsonl'): ReplayEntry[] {
  const calls = new Map<string, StreamChunk[]>()
  for (const event of events) {
    if (isEvent(event, 'step/start')) calls.set(`turn ${event.data.turn} step ${event.data.step}`, [])
    if (!isEvent(event, 'assistant/chunk')) continue
    const where = `turn ${event.data.turn} step ${event.data.step}`
    const call = calls.get(where) ?? []
    calls.set(where, call)
    call.push(event.data.chunk)
  }
  return [...calls].map(([where, chunks]) => {
    requireFinish(chunks, `${file}: ${where}`)
    return { kind: 'chunks', chunks }
  })
}

function requireFinish(chunks: readonly StreamChunk[], where: string): void {
  const end = chunks.findIndex((chunk) => chunk.type === 'finish')
  if (end === -1) {
    throw new ReplayScriptError(
      `${where}: the model's answer never finishes, so it cannot be replayed as it is. ` +
        'Record it again, or set "overridden": true and write replay.override.json',
    )
  }
  if (end !== chunks.length - 1) throw new ReplayScriptError(`${where}: a chunk follows the finish`)
}
