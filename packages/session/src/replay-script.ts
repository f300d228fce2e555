import { parseJsonText } from '@acp-snapshot/json-text'
import * as z from 'zod'
import { type AnswerFault, findAnswerFault } from './answer-fault.ts'
import { type StreamChunk, streamChunkSchema } from './chunk.ts'
import { isEvent, type SessionEvent } from './event.ts'
import type { ParsedLog } from './jsonl.ts'

/** One model call, as `llm-replay` and `llm-server` serve it. */
export type ReplayEntry =
  /** The whole answer. */
  | { kind: 'chunks'; chunks: StreamChunk[] }
  /** Fails after these chunks, of which there may be none. */
  | { kind: 'throw'; chunks: StreamChunk[]; message: string; code: string; status?: number | undefined }
  /** Serves the chunks, then waits until it is aborted. */
  | { kind: 'hang'; chunks?: StreamChunk[] | undefined }

/** An entry of `replay.override.json`. `session` is the ordinal of the session that it serves, 0 by default. */
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

/** More sessions than any run has. Without a limit, a large ordinal in a file would create a list of millions. */
const MAX_SESSIONS = 1000

/** A model script that cannot be served. The message names the file, the line of a log, the place, and what to do. */
export class ReplayScriptError extends Error {
  override name = 'ReplayScriptError'
  /** The line of the log, from 1. An error in an override has no line. */
  readonly line: number | undefined

  constructor(file: string, problem: string, line?: number) {
    super(`${line === undefined ? file : `${file}:${line}`}: ${problem}`)
    this.line = line
  }
}

/**
 * Reads `replay.override.json`. Returns one script for each session of the run, by ordinal.
 *
 * @throws ReplayScriptError if it is not a list of entries, or for the first fault of an answer
 */
export function parseOverride(text: string, file: string): ReplayEntry[][] {
  const read = parseJsonText(text)
  if ('problem' in read) throw new ReplayScriptError(`${file}:${read.line}:${read.column}`, read.problem)
  const result = overrideSchema.safeParse(read.value)
  if (!result.success) {
    const issue = result.error.issues[0]
    throw new ReplayScriptError(file, `${issue?.path.join('.')}: ${issue?.message}`)
  }
  const scripts: ReplayEntry[][] = []
  for (const [i, { session = 0, ...entry }] of result.data.entries()) {
    const fault = findAnswerFault(entry.chunks ?? [], entry.kind === 'chunks' ? 'whole' : 'prefix')
    if (fault) throw new ReplayScriptError(file, `entry ${i}${inEntry(entry, fault)}`)
    if (session >= MAX_SESSIONS) {
      throw new ReplayScriptError(file, `entry ${i}: "session" is ${session}; a run has at most ${MAX_SESSIONS}`)
    }
    while (scripts.length <= session) scripts.push([])
    scripts[session]?.push(entry)
  }
  return scripts
}

function inEntry({ chunks = [] }: ReplayEntry, { chunk, problem }: AnswerFault): string {
  return chunks.length === 0 ? `: ${problem}` : ` chunk ${chunk}: ${problem}`
}

/**
 * Derives the model script from the `assistant/chunk` events of a recorded log: one entry for each model call. Events
 * that a forked session inherited from its parent are skipped.
 *
 * A step is one model call, unless the agent retried it. A new attempt begins with a `block-start` that repeats a block
 * of the current attempt, or that follows a finish. An attempt without a finish becomes a `throw` entry with its
 * chunks. The log does not say why the attempt failed, so its code is {@link CUT_CODE}.
 *
 * @throws ReplayScriptError for a step whose last answer is missing or never finishes, and for the first fault that
 * {@link findAnswerFault} finds in an answer
 */
export function deriveReplayScript({ header, events }: ParsedLog, file = 'session.jsonl'): ReplayEntry[] {
  return groupSteps(events.slice(header.seedLength ?? 0)).flatMap(({ where, line, chunks }) => {
    const attempts = splitAttempts(chunks)
    return attempts.map((attempt, i) => {
      const entry = toEntry(attempt, i === attempts.length - 1)
      const fault = findAnswerFault(entry.chunks ?? [], entry.kind === 'chunks' ? 'whole' : 'prefix')
      if (fault) throw new ReplayScriptError(file, `${where}: ${fault.problem}`, attempt[fault.chunk]?.line ?? line)
      return entry
    })
  })
}

/** The error code of an attempt without a finish. Agents retry after this error. */
const CUT_CODE = 'INCOMPLETE'

/** A chunk with its line in the log. */
interface LoggedChunk {
  line: number
  chunk: StreamChunk
}

interface LoggedStep {
  where: string
  line: number
  chunks: LoggedChunk[]
}

function groupSteps(events: readonly SessionEvent[]): LoggedStep[] {
  const steps = new Map<string, LoggedStep>()
  for (const event of events) {
    if (!isEvent(event, 'step/start') && !isEvent(event, 'assistant/chunk')) continue
    const where = `turn ${event.data.turn} step ${event.data.step}`
    // The header is line 1, and seq counts from 0.
    const line = event.seq + 2
    const step = steps.get(where) ?? { where, line, chunks: [] }
    steps.set(where, step)
    if (isEvent(event, 'assistant/chunk')) step.chunks.push({ line, chunk: event.data.chunk })
  }
  return [...steps.values()]
}

function splitAttempts(chunks: readonly LoggedChunk[]): LoggedChunk[][] {
  const attempts: LoggedChunk[][] = [[]]
  let started = new Set<number>()
  let finished = false
  for (const logged of chunks) {
    const { chunk } = logged
    if (chunk.type === 'block-start') {
      if (finished || started.has(chunk.index)) {
        attempts.push([])
        started = new Set()
      }
      started.add(chunk.index)
    }
    finished = chunk.type === 'finish'
    attempts.at(-1)?.push(logged)
  }
  return attempts
}

function toEntry(attempt: readonly LoggedChunk[], last: boolean): ReplayEntry {
  const chunks = attempt.map(({ chunk }) => chunk)
  if (last || chunks.some(({ type }) => type === 'finish')) return { kind: 'chunks', chunks }
  return { kind: 'throw', chunks, message: 'the stream was cut before it finished', code: CUT_CODE }
}
