import { IdBook, isVolatileId } from './ids.ts'
import { type Json, parseJson, printJson, type StringPool } from './json.ts'
import { pathFinder } from './paths.ts'
import { eachString, type Rewriter, rewriteJson } from './rewrite.ts'
import { numberRpcIds } from './rpc-ids.ts'
import { rewriteStreams } from './streams.ts'
import { replacer } from './text.ts'
import { findToken, isToken, token } from './tokens.ts'
import { messagePieces } from './transcript-streams.ts'
import type { Volatile } from './volatile.ts'

/** What an ACP agent wrote to stdout, to be printed with its volatile values as tokens. */
export interface Transcript {
  readonly kind: 'acp-transcript'
  /** Raw lines of stdout, each one JSON value. */
  readonly frames: readonly string[]
  readonly volatile: Volatile
}

/**
 * The frames of a transcript with volatile values as tokens, one JSON text a frame. What is not known to be volatile
 * stays as the agent wrote it: the order of keys, the digits of a number, the escapes of a string.
 * Normalising twice changes nothing.
 *
 * @throws Error when a frame is not JSON, naming it (counted from 1)
 */
export function normalizeTranscript(frames: readonly string[], volatile: Volatile = {}): string[] {
  const strings: StringPool = new Map()
  const parsed = frames.map((frame, i) => parseFrame(frame, i, strings))
  const book = new IdBook()
  let normalized = false
  for (const frame of parsed) {
    eachString(frame, (text, key = '') => {
      book.reserve(text)
      if (isVolatileId(key, text)) book.see(key, text)
      normalized ||= key === 'sessionId' && isToken(text)
    })
  }
  const ids = book.number()
  const finders = [findToken, pathFinder(volatile.paths ?? {}), ids.find]
  const rewriter: Rewriter = {
    value: (key, text) => (key === 'updatedAt' && isTimestamp(text) ? token('time') : ids.tokenOf(key, text)),
    text: replacer(finders),
  }
  const numbered = numberRpcIds(parsed, volatile.requestIds ?? [], normalized)
  const rewritten = numbered.map((frame) => rewriteJson(frame, rewriter))
  return rewriteStreams(parsed, rewritten, messagePieces(parsed), finders).map(printJson)
}

function parseFrame(text: string, i: number, strings: StringPool): Json {
  try {
    return parseJson(text, strings)
  } catch (error) {
    const excerpt = text.length > 80 ? `${text.slice(0, 80)}…` : text
    throw new Error(
      `frame ${i + 1} of the transcript is not JSON: ${JSON.stringify(excerpt)} (${(error as Error).message}). ` +
        'An ACP agent writes JSON-RPC to stdout and nothing else; logs go to stderr',
    )
  }
}

/** ISO 8601, as ACP asks of `updatedAt`. */
function isTimestamp(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/.test(text)
}
