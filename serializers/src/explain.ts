import { isNumber, type Json, printJson } from './json.ts'
import { readJson } from './json-reader.ts'
import type { Replacer } from './replacer.ts'
import { ruleSet } from './rule-set.ts'
import { pointerOf } from './rules/added-pointers.ts'
import { RULE_OF_TOKEN } from './rules/built-in.ts'
import { isClock } from './rules/clocks.ts'
import { isDuration } from './rules/durations.ts'
import { kindOf } from './rules/unordered.ts'
import { type LogSet, readSessionLogs } from './session-log.ts'
import { textAt } from './streamed-text.ts'
import { isToken, nameOfToken, tokensIn } from './tokens.ts'
import { readTranscript, type Transcript } from './transcript.ts'
import { CHUNK_KINDS } from './transcript-streams.ts'
import type { Volatile } from './volatile-values.ts'

/** What a rule replaced at one place. `before` is what the agent wrote, and may hold a secret. */
export interface Replacement {
  readonly rule: string
  /** The position of the log, from 1; absent in a transcript. */
  readonly log?: number
  /** The line in the normalised text, from 1: a frame of the golden, or an event of the log. */
  readonly line: number
  /** The JSON pointer of the value; empty for the whole line. */
  readonly pointer: string
  readonly before: string
  readonly after: string
}

/**
 * Explains a normalised transcript: each replacement, in the order of the lines. It compares the frames before and after
 * normalising, so that normalising itself need not keep a record.
 */
export function explainTranscript({ frames, volatile }: Pick<Transcript, 'frames' | 'volatile'>): Replacement[] {
  const { raw, order, rewrite, combine, replacer } = readTranscript(frames, volatile)
  const rewritten = order.map((at, i) => ({ json: rewrite(i), sources: [at] }))
  const lines = combine?.(rewritten) ?? rewritten
  const lineOf = new Map(lines.flatMap(({ sources }, line) => sources.map((at) => [at, line + 1] as const)))
  const { unordered } = ruleSet(volatile.rules)
  const explained = rewritten.flatMap(({ json, sources: [at = -1] }, i): Replacement[] => {
    const [before, line] = [raw[at], lineOf.get(at) ?? 0]
    if (!before) return []
    const isMoved = order[i - 1] !== at - 1 && !(i === 0 && at === 0) && unordered.includes(kindOf(before) ?? '')
    const moved = { rule: 'unordered', line, pointer: '', before: `frame ${at + 1}`, after: `frame ${line}` }
    return [...(isMoved ? [moved] : []), ...explainLine(before, json, { line, volatile, replacer })]
  })
  const combined = lines.flatMap(({ json, sources }, i) =>
    sources.length === 1 ? [] : [combination(json, sources.length, i + 1)],
  )
  return [...explained, ...combined].sort((a, b) => a.line - b.line)
}

/** Explains normalised session logs in the same way. */
export function explainSessionLogs({ logs, volatile }: Pick<LogSet, 'logs' | 'volatile'>): Replacement[] {
  return readSessionLogs(logs, volatile).flatMap(({ lines, rewrite, replacer }, log) =>
    lines.flatMap((text, i) =>
      explainLine(readJson(text, new Map()), rewrite(i), { log: log + 1, line: i + 1, volatile, replacer }),
    ),
  )
}

function combination(json: Json, count: number, line: number): Replacement {
  const isChunk = CHUNK_KINDS.has(textAt(json, ['params', 'update', 'sessionUpdate']) ?? '')
  const [rule, what] = isChunk ? ['chunks', 'chunks'] : ['repeated-updates', 'identical updates']
  return { rule, line, pointer: '', before: `${count} ${what}`, after: `1 ${what.slice(0, -1)}` }
}

interface Context {
  readonly log?: number
  readonly line: number
  readonly volatile: Volatile
  readonly replacer: Replacer
}

/** A value whose text changed. */
interface Difference {
  /** The keys to the value. */
  readonly keys: readonly string[]
  readonly before: Json
  readonly after: Json
}

function explainLine(before: Json, after: Json, context: Context): Replacement[] {
  const { log, line } = context
  return differencesOf(before, after, []).flatMap((difference) => {
    const place = { ...(log !== undefined && { log }), line, pointer: pointerOf(difference.keys) }
    return changesOf(difference, context).map(({ rule, before, after }) => ({ rule, ...place, before, after }))
  })
}

function differencesOf(before: Json, after: Json, keys: readonly string[]): Difference[] {
  if (before.kind === 'object' && after.kind === 'object') {
    return before.entries.flatMap(({ key, value }, i) => {
      const now = after.entries[i]
      if (!now) return []
      const place = [...keys, now.key.value]
      const ofKey = key.value === now.key.value ? [] : [{ keys: place, before: key, after: now.key }]
      return [...ofKey, ...differencesOf(value, now.value, place)]
    })
  }
  if (before.kind === 'array' && after.kind === 'array') {
    return before.items.flatMap((item, i) => {
      const now = after.items[i]
      return now ? differencesOf(item, now, [...keys, String(i)]) : []
    })
  }
  return textOf(before) === textOf(after) ? [] : [{ keys, before, after }]
}

function changesOf(difference: Difference, { volatile, replacer }: Context) {
  const { keys, before, after } = difference
  const texts = { before: textOf(before), after: textOf(after) }
  if (isNumber(after)) return [{ rule: ruleOfNumber(keys, before, after), ...texts }]
  if (before.kind !== 'string' || isToken(texts.after)) return [{ rule: ruleOfToken(texts, volatile), ...texts }]
  const { changes, result } = replacer.explain(before.value)
  if (result === texts.after) return changes.map((change) => ({ rule: ruleOfToken(change, volatile), ...change }))
  // A piece of a streamed text: only the whole text shows what was replaced.
  const old = new Set(tokensIn(texts.before))
  const added = tokensIn(texts.after).filter((token) => !old.has(token))
  const rules = new Set(added.map((after) => ruleOfToken({ before: '', after }, volatile)))
  return [...(rules.size === 0 ? [CONTINUED] : rules)].map((rule) => ({ rule, ...texts }))
}

/** The rest of a value that began in an earlier piece of a streamed text. */
const CONTINUED = 'streamed text'

function ruleOfNumber(keys: readonly string[], before: Json, after: Json): string {
  const [key = '', parent = ''] = [keys.at(-1), keys.at(-2)]
  if (textOf(after) !== '0') return 'rpc-ids'
  if (isClock(key, textOf(before)) || (keys.length === 1 && (key === 'time' || key === 'createdAt'))) return 'clocks'
  return isDuration(key, parent) ? 'durations' : 'token-counts'
}

function ruleOfToken({ before, after }: { before: string; after: string }, { rules, paths = {} }: Volatile): string {
  const name = nameOfToken(after)
  const builtIn = RULE_OF_TOKEN.get(name)
  if (builtIn !== undefined) return builtIn
  const { patterns, pointers } = ruleSet(rules)
  const ofToken = [...patterns, ...pointers].filter(({ token }) => token === name)
  const matching = patterns.find(({ token, pattern }) => token === name && before.replace(pattern, '') === '')
  return (
    (matching ?? ofToken.find((rule) => 'segments' in rule) ?? ofToken[0])?.name ?? (name in paths ? 'paths' : 'ids')
  )
}

function textOf(json: Json): string {
  return json.kind === 'string' ? json.value : printJson(json)
}
