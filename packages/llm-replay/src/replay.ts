import type { LlmRequest } from '@acp-snapshot/llm'
import { requestProblem } from '@acp-snapshot/llm/check-request'
import { LlmError } from '@acp-snapshot/llm/error'
import type { ReplayEntry, SessionLog, StreamChunk } from '@acp-snapshot/session'
import { placeCwd } from './place-cwd.ts'
import type { ReplayReport } from './report-file.ts'
import type { Scripts } from './scripts.ts'

/** The part of a session that the replay needs. It reads `cwd` and `log` at each call. */
interface OpenSession {
  readonly id: string
  readonly cwd: string
  readonly log: Pick<SessionLog, 'events'>
}

/**
 * Serves the recorded model calls of each session in order. Each request must match the log of its session. The report
 * says how long each script is and which entries were served, so that the process after a `restart` continues there.
 */
export class Replay {
  readonly #scripts: Scripts
  readonly #report: ReplayReport
  /**
   * The ordinal of each session of the run, by id. Sessions are numbered in the order in which they are first opened.
   */
  readonly #ordinals = new Map<string, number>()
  /** The sessions that are open in this process, by id. */
  readonly #open = new Map<string, OpenSession>()
  /** How many entries of each script were served, by the ordinal of the session. */
  readonly #served = new Map<number, number>()
  readonly #inFlight = new Set<number>()

  constructor(scripts: Scripts, report: ReplayReport) {
    this.#scripts = scripts
    this.#report = report
    const earlier = report.read()
    for (const [session, { length }] of earlier.length > 0 ? [] : scripts.entries.entries()) {
      report.write({ type: 'script', session, entries: length })
    }
    for (const line of earlier) {
      if (line.type === 'opened') this.#ordinals.set(line.sessionId, line.session)
      if (line.type === 'served') this.#served.set(line.session, line.entry + 1)
    }
  }

  /** Gives a session its ordinal, if it has none yet. */
  open(session: OpenSession): void {
    this.#open.set(session.id, session)
    if (this.#ordinals.has(session.id)) return
    const ordinal = this.#ordinals.size
    this.#ordinals.set(session.id, ordinal)
    this.#report.write({ type: 'opened', session: ordinal, sessionId: session.id })
  }

  /**
   * Serves the next entry of the session, with the working directory of the session.
   *
   * @throws LlmError as the entry says, or `ABORTED` on abort, or `REPLAY` if the script has no entry for the call or the
   * request does not match the log. Each `REPLAY` error is also written to the report
   */
  async *stream(request: LlmRequest): AsyncGenerator<StreamChunk> {
    const session = this.#ordinals.get(request.sessionId)
    const open = this.#open.get(request.sessionId)
    if (session === undefined || open === undefined) throw this.#fail(request, 'is not open')
    if (this.#inFlight.has(session)) throw this.#fail(request, 'asks for a model call while another one streams')
    const problem = requestProblem(request, open.log.events)
    if (problem !== undefined) throw this.#fail(request, `sends what its log does not say: ${problem}`)
    const entry = this.#next(session, request)
    this.#inFlight.add(session)
    try {
      for await (const chunk of play(entry, request.signal)) yield placeCwd(chunk, open.cwd)
    } finally {
      this.#inFlight.delete(session)
    }
  }

  #next(session: number, request: LlmRequest): ReplayEntry {
    const index = this.#served.get(session) ?? 0
    const script = this.#scripts.entries[session] ?? []
    const entry = script[index]
    if (!entry) {
      throw this.#fail(request, `asks for model call ${index + 1}, but ${this.#scripts.lacks(session)}`)
    }
    this.#served.set(session, index + 1)
    this.#report.write({ type: 'served', session, entry: index, turn: request.turn, step: request.step })
    return entry
  }

  #fail({ sessionId, turn, step }: LlmRequest, problem: string): LlmError {
    const session = this.#ordinals.get(sessionId) ?? sessionId
    const message = `replay: session ${session}, turn ${turn} step ${step} ${problem}`
    this.#report.write({ type: 'failed', message })
    return new LlmError('REPLAY', message)
  }
}

async function* play(entry: ReplayEntry, signal: AbortSignal): AsyncGenerator<StreamChunk> {
  for (const chunk of entry.chunks ?? []) {
    if (signal.aborted) throw aborted()
    yield chunk
  }
  if (entry.kind === 'throw') throw new LlmError(entry.code, entry.message, { status: entry.status })
  if (entry.kind === 'hang') await untilAborted(signal)
}

async function untilAborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  throw aborted()
}

function aborted(): LlmError {
  return new LlmError('ABORTED', 'the model call was aborted')
}
