import { IdBook, volatileKind } from './ids.ts'
import { type Json, printJson } from './json.ts'
import { parseJson, type StringPool } from './json-reader.ts'
import { Replacer } from './replacer.ts'
import { eachString, measuredBy, type Rewriter, rewriteJson } from './rewrite.ts'
import { numberRpcIds } from './rpc-ids.ts'
import { type RuleSet, ruleSet } from './rule-set.ts'
import { FRAME_KEYS, isReplaced, replaceAtPointers } from './rules/added-pointers.ts'
import { dropRepeated, joinChunks, type Line } from './rules/adjacent-updates.ts'
import { hideAgentVersion } from './rules/agent-version.ts'
import { isClock } from './rules/clocks.ts'
import { hideKnownPorts } from './rules/known-ports.ts'
import { hideTokenCounts } from './rules/token-counts.ts'
import { unorderedLast } from './rules/unordered.ts'
import { rewriteStreams, streamsOf } from './streamed-text.ts'
import { textFinders, vocabularyRule } from './text-finders.ts'
import { isTokenOf, token } from './tokens.ts'
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
 * @returns one JSON text per frame, in the same order, unless the rules move or join frames
 * @throws Error that names the frame (counted from 1) which is not JSON, or is nested too deeply
 */
export function normalizeTranscript(frames: readonly string[], volatile: Volatile = {}): string[] {
  return linesOf(readTranscript(frames, volatile)).map(({ json }) => printJson(json))
}

/**
 * The frames of which each line of a normalised transcript was made: one for each line, unless the rules move or join
 * frames.
 *
 * @returns positions in `frames`, in the order in which they were joined
 */
export function sourcesOfLines(frames: readonly string[], volatile: Volatile = {}): (readonly number[])[] {
  return linesOf(readTranscript(frames, volatile)).map(({ sources }) => sources)
}

function linesOf({ order, rewrite, combine }: ReadTranscript): readonly Line[] {
  const lines = order.map((at, i) => ({ json: rewrite(i), sources: [at] }))
  return combine?.(lines) ?? lines
}

/** A transcript that is read, to be rewritten frame by frame. */
export interface ReadTranscript {
  /** The frames as the agent wrote them. */
  readonly raw: readonly Json[]
  /** The positions of the frames, in the order of the golden. */
  readonly order: readonly number[]
  /** Rewrites a frame. @param i its position in `order` */
  rewrite(i: number): Json
  /** Joins and drops rewritten frames; absent when no rule does. */
  readonly combine: ((lines: readonly Line[]) => readonly Line[]) | undefined
  readonly replacer: Replacer
}

/** Reads a transcript, and prepares every rule that applies to it. */
export function readTranscript(frames: readonly string[], volatile: Volatile): ReadTranscript {
  const rules = ruleSet(volatile.rules)
  const strings: StringPool = new Map()
  const raw = frames.map((frame, i) => parseJson(frame, strings, `frame ${i + 1} of the transcript`, ADVICE))
  const book = new IdBook()
  const placed = atPointers(raw, rules, book)
  const order =
    rules.unordered.length === 0
      ? placed.map((_, i) => i)
      : unorderedLast(placed, rules.unordered, volatile.opened ?? [])
  const ordered = rules.unordered.length === 0 ? placed : order.flatMap((at) => placed[at] ?? [])
  let normalized = false
  const hasIds = rules.isOn('ids')
  for (const frame of ordered) {
    eachString(frame, (text, key = '') => {
      book.reserve(text)
      const kind = hasIds ? volatileKind(key, text) : undefined
      if (kind !== undefined) book.see(kind, text)
      normalized ||= key === 'sessionId' && isTokenOf(text, 'sessionId')
    })
  }
  const pieces = messagePieces(ordered)
  const joins = rules.isOn('chunks')
  // A token may be cut too.
  if (joins) for (const stream of streamsOf(pieces)) book.reserve(stream.map(({ text }) => text).join(''))
  const ids = book.number()
  const replacer = new Replacer(textFinders(volatile, book, ids))
  const vocabulary = vocabularyRule(volatile, book, ids)
  const hasClocks = rules.isOn('clocks')
  const rewriter: Rewriter = {
    value: (key, text) => {
      if (hasClocks && (isClock(key, text) || (key === 'updatedAt' && isTimestamp(text)))) return token('time')
      return ids.tokenOf(volatileKind(key, text) ?? '', text) ?? vocabulary?.(key, text)
    },
    text: (text) => replacer.replace(text),
    isMeasured: measuredBy(rules),
  }
  const rewriteFrame = (json: Json) => rewriteJson(json, rewriter)
  const rewriteLine = rewriteStreams(pieces, replacer, joins)
  const hidden = hide(ordered, rules, volatile.ports)
  const numbered = rules.isOn('rpc-ids') ? numberRpcIds(hidden, volatile.requestIds ?? [], normalized) : hidden
  return {
    raw,
    order,
    rewrite: (i) => {
      const frame = numbered[i]
      if (!frame) throw new RangeError(`no frame ${i}`)
      return rewriteLine(frame, i, rewriteFrame)
    },
    combine: combining(rules),
    replacer,
  }
}

const ADVICE = 'An ACP agent writes JSON-RPC to stdout and nothing else; logs go to stderr'

/** Replaces the values at the added pointers, before any other rule. */
function atPointers(frames: readonly Json[], { pointers }: RuleSet, book: IdBook): readonly Json[] {
  if (pointers.length === 0) return frames
  for (const frame of frames) eachString(frame, (text) => book.reserve(text))
  return frames.map((frame) =>
    replaceAtPointers(frame, pointers, FRAME_KEYS, (name, value) => book.numberInUse(name)(value)),
  )
}

function hide(frames: readonly Json[], { isOn }: RuleSet, ports: Volatile['ports']): readonly Json[] {
  const withoutVersion = isOn('agent-version') ? frames.map(hideAgentVersion) : frames
  const withoutCounts = isOn('token-counts') ? withoutVersion.map(hideTokenCounts) : withoutVersion
  return withoutCounts.map(hideKnownPorts(isOn('ports') ? ports : []))
}

function combining({ isOn, pointers }: RuleSet): ReadTranscript['combine'] {
  const [joins, drops] = [isOn('chunks'), isOn('repeated-updates')]
  if (!joins && !drops) return undefined
  return (lines) => {
    const joined = joins ? joinChunks(lines, (text) => isReplaced(text, pointers)) : lines
    return drops ? dropRepeated(joined) : joined
  }
}

/** ISO 8601, which ACP requires for `updatedAt`. */
function isTimestamp(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/.test(text)
}
