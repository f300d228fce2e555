import type { Finder } from './matches.ts'
import { isToken, token, tokensIn } from './tokens.ts'
import { canBegin, isWordBoundary } from './word-boundary.ts'

/** Keys of ACP whose values the agent generates anew in every run. */
const ALWAYS: ReadonlySet<string> = new Set(['sessionId', 'messageId'])

/** A clock in epoch ms, or a UUID. */
const MINTED = /(?<!\d)1\d{12}(?!\d)|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i

/** The same, or a long random word: hex, a ULID or a nanoid. */
const RANDOM = new RegExp(
  `${MINTED.source}|[\\da-f]{12,}|[\\da-hjkmnp-tv-z]{26}|(?=[a-z_-]*\\d)(?=[\\d_-]*[a-z])[\\w-]{20,}`,
  'i',
)

/**
 * Keys whose value may come from the model, the client or a counter: it stays visible unless it is clearly generated.
 * A model never chooses the ids of turns and approvals, so a weaker pattern is enough for them.
 */
const WHEN_MADE_UP: ReadonlyMap<string, { kind: string; pattern: RegExp }> = new Map([
  ...['toolCallId', 'terminalId', 'elicitationId', 'compactionId'].map(
    (key) => [key, { kind: key, pattern: MINTED }] as const,
  ),
  ...[
    ['turnId', 'turnId'],
    ['turn_id', 'turnId'],
    ['approvalId', 'approvalId'],
    ['approval_id', 'approvalId'],
  ].map(([key = '', kind = '']) => [key, { kind, pattern: RANDOM }] as const),
])

/** The kinds of ids in a session log besides session ids. Its ids of calls and messages come from the model. */
const IN_LOGS: ReadonlySet<string> = new Set(['turnId', 'approvalId'])

/** A shorter id is replaced only as the value of its key, never inside a text. */
const SHORTEST_IN_TEXT = 8

/** The kind of an id that differs between runs, by its key; `undefined` for other values and for tokens. */
export function volatileKind(key: string, value: string): string | undefined {
  if (value === '' || isToken(value)) return undefined
  if (ALWAYS.has(key)) return key
  const { kind, pattern } = WHEN_MADE_UP.get(key) ?? {}
  return pattern?.test(value) ? kind : undefined
}

/** The same for a value in a log's event. */
export function volatileKindInLog(key: string, value: string): string | undefined {
  const kind = volatileKind(key, value)
  return kind !== undefined && IN_LOGS.has(kind) ? kind : undefined
}

/**
 * The ids of one transcript, or of one set of logs. First pass everything to {@link IdBook.see} and
 * {@link IdBook.reserve}, then ask for tokens. Ids are numbered in the order in which they were first seen, without the
 * numbers of tokens that a text already contains.
 */
export class IdBook {
  readonly #ids = new Map<string, Set<string>>()
  readonly #reserved = new Set<string>()
  readonly #inUse = new Map<string, (value: string) => string>()

  /** @param kind the name of the token */
  see(kind: string, id: string): void {
    const seen = this.#ids.get(kind) ?? new Set()
    this.#ids.set(kind, seen.add(id))
  }

  /** Reserves the tokens that a text contains, so that no id gets one of them. */
  reserve(text: string): void {
    for (const reserved of tokensIn(text)) this.#reserved.add(reserved)
  }

  /** Numbers the ids. Call it after everything is seen. */
  number(): NumberedIds {
    const byKind = new Map([...this.#ids].map(([kind, ids]) => [kind, this.#tokens(kind, ids)]))
    return {
      tokenOf: (kind, id) => byKind.get(kind)?.get(id),
      find: idFinder(new Map([...byKind.values()].reverse().flatMap((tokens) => [...tokens]))),
    }
  }

  /** Tokens for values that are only found while a text is rewritten, numbered in the order of the calls. */
  numberInUse(kind: string): (value: string) => string {
    const known = this.#inUse.get(kind)
    if (known) return known
    const tokenOf = this.#tokensInUse(kind)
    this.#inUse.set(kind, tokenOf)
    return tokenOf
  }

  #tokensInUse(kind: string): (value: string) => string {
    const next = this.#counter(kind)
    const tokens = new Map<string, string>()
    return (value) => {
      const known = tokens.get(value) ?? next()
      tokens.set(value, known)
      return known
    }
  }

  #tokens(kind: string, ids: ReadonlySet<string>): Map<string, string> {
    const next = this.#counter(kind)
    return new Map([...ids].map((id) => [id, next()]))
  }

  #counter(kind: string): () => string {
    let n = 0
    return () => {
      do n++
      while (this.#reserved.has(token(kind, n)))
      return token(kind, n)
    }
  }
}

export interface NumberedIds {
  tokenOf(kind: string, id: string): string | undefined
  readonly find: Finder
}

/** Finds ids inside a text at word boundaries, longest first. A transcript may have thousands, so it looks them up by their first characters. */
function idFinder(tokens: ReadonlyMap<string, string>): Finder {
  const byBeginning = new Map<string, string[]>()
  for (const id of [...tokens.keys()].sort((a, b) => b.length - a.length)) {
    if (id.length < SHORTEST_IN_TEXT) continue
    const beginning = id.slice(0, SHORTEST_IN_TEXT)
    const ids = byBeginning.get(beginning) ?? []
    byBeginning.set(beginning, ids)
    ids.push(id)
  }
  const firstUnits = new Set([...byBeginning.keys()].map((beginning) => beginning.charCodeAt(0)))
  if (firstUnits.size === 0) return () => undefined
  return (text) => (from) => {
    for (let at = from; at <= text.length - SHORTEST_IN_TEXT; at++) {
      if (!firstUnits.has(text.charCodeAt(at))) continue
      const candidates = byBeginning.get(text.slice(at, at + SHORTEST_IN_TEXT))
      if (!candidates || !canBegin(text, at)) continue
      const id = candidates.find((id) => text.startsWith(id, at) && isWordBoundary(text, at + id.length))
      if (id !== undefined) return { start: at, end: at + id.length, replacement: () => tokens.get(id) ?? id }
    }
    return undefined
  }
}
