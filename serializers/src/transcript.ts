import { IdBook, volatileKind } from './ids.ts'
import { printJson } from './json.ts'
import { parseJson, type StringPool } from './json-reader.ts'
import { pathFinders } from './path-finders.ts'
import { Replacer } from './replacer.ts'
import { eachString, type Rewriter, rewriteJson } from './rewrite.ts'
import { numberRpcIds } from './rpc-ids.ts'
import { hideAgentVersion } from './rules/agent-version.ts'
import { isClock } from './rules/clocks.ts'
import { hideKnownPorts } from './rules/known-ports.ts'
import { shapeFinders } from './shape-finders.ts'
import { rewriteStreams } from './streamed-text.ts'
import { isToken, token } from './tokens.ts'
import { messagePieces } from './transcript-streams.ts'
import type { Volatile } from './volatile-values.ts'

/** The stdout of an ACP agent; the plugin prints it with volatile values as tokens. */
export interface Transcript {
  readonly kind: 'acp-transcript'
  /** Raw lines of stdout, each one JSON value. */
  readonly frames: readonly string[]
  readonly volatile: Volatile
}

/**
 * Normalises a transcript: replaces volatile values with tokens, and numbers JSON-RPC ids. Everything else stays as the
 * agent wrote it: the order of keys, the digits of a number, the escapes of a string. Normalising twice changes nothing.
 *
 * @param frames the raw lines of stdout, each one JSON value
 * @returns one JSON text per frame, in the same order
 * @throws Error that names the frame (counted from 1) which is not JSON, or is nested too deeply
 */
export function normalizeTranscript(frames: readonly string[], volatile: Volatile = {}): string[] {
  const strings: StringPool = new Map()
  const parsed = frames.map((frame, i) => parseJson(frame, strings, `frame ${i + 1} of the transcript`, ADVICE))
  const book = new IdBook()
  let normalized = false
  for (const frame of parsed) {
    eachString(frame, (text, key = '') => {
      book.reserve(text)
      const kind = volatileKind(key, text)
      if (kind !== undefined) book.see(kind, text)
      normalized ||= key === 'sessionId' && isToken(text)
    })
  }
  const ids = book.number()
  const replacer = new Replacer([...shapeFinders(volatile, book), ...pathFinders(volatile.paths ?? {}), ids.find])
  const rewriter: Rewriter = {
    value: (key, text) => {
      if (isClock(key, text) || (key === 'updatedAt' && isTimestamp(text))) return token('time')
      return ids.tokenOf(volatileKind(key, text) ?? '', text)
    },
    text: (text) => replacer.replace(text),
  }
  const putPiece = rewriteStreams(messagePieces(parsed), replacer)
  const hidden = (volatile.agentVersion ? parsed.map(hideAgentVersion) : parsed).map(hideKnownPorts(volatile.ports))
  const numbered = numberRpcIds(hidden, volatile.requestIds ?? [], normalized)
  return numbered.map((frame, line) => printJson(putPiece(rewriteJson(frame, rewriter), line)))
}

const ADVICE = 'An ACP agent writes JSON-RPC to stdout and nothing else; logs go to stderr'

/** ISO 8601, which ACP requires for `updatedAt`. */
function isTimestamp(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/.test(text)
}
