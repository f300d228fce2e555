import type { Finder } from './replacer.ts'
import { isToken, token, tokensIn } from './tokens.ts'
import { canBegin, isWordBoundary } from './word-boundary.ts'

/** Keys of ACP whose value the agent makes up anew in every run. */
const ALWAYS: ReadonlySet<string> = new Set(['sessionId', 'messageId'])

/** A clock in epoch ms, or a UUID. */
const MINTED = /(?<!\d)1\d{12}(?!\d)|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i

/** The same, or a long random word: hex, a ULID, a nanoid. */
const RANDOM = new RegExp(
  `${MINTED.source}|[\\da-f]{12,}|[\\da-hjkmnp-tv-z]{26}|(?=[a-z_-]*\\d)(?=[\\d_-]*[a-z])[\\w-]{20,}`,
  'i',
)

/**
 * Keys whose value may come from the model, the client or a counter: it stays visible, unless one can see that it was
 * made up. No model makes up the ids of turns and approvals, so these need not look so much like it.
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

/** The kinds of ids that a session log holds beside those of sessions. Ids of calls and messages in it are the model's. */
const IN_LOGS: ReadonlySet<string> = new Set(['turnId', 'approvalId'])

/** An id that is shorter is replaced as the value of its key, and never inside a text. */
const SHORTEST_IN_TEXT = 8

/** The kind of an id that differs from run to run, by its key. Another value, and a token, is of no kind. */
export function volatileKind(key: string, value: string): string | undefined {
  if (value === '' || isToken(value)) return undefined
  if (ALWAYS.has(key)) return key
  const { kind, pattern } = WHEN_MADE_UP.get(key) ?? {}
  return pattern?.test(value) ? kind : undefined
}

/** The same for a value in the event of a log. */
export function volatileKindInLog(key: string, value: string): string | undefined {
  const kind = volatileKind(key, value)
  return kind !== undefined && IN_LOGS.has(kind) ? kind : undefined
}

/**
 * The ids of one transcript, or of one set of logs. First show it everything ({@link IdBook.see},
 * {@link IdBook.reserve}), then ask: an id gets its number by first sight, and never one that a token in a text holds.
 */
export class IdBook {
  readonly #ids = new Map<string, Set<string>>()
  readonly #reserved = new Set<string>()

  /** @param kind what the token is called */
  see(kind: string, id: string): void {
    const seen = this.#ids.get(kind) ?? new Set()
    this.#ids.set(kind, seen.add(id))
  }

  /** Keeps the tokens that a text holds for what they stand for already. */
  reserve(text: string): void {
    for (const reserved of tokensIn(text)) this.#reserved.add(reserved)
  }

  /** Once everything is seen. */
  number(): NumberedIds {
    const byKind = new Map([...this.#ids].map(([kind, ids]) => [kind, this.#tokens(kind, ids)]))
    return {
      tokenOf: (kind, id) => byKind.get(kind)?.get(id),
      find: idFinder(new Map([...byKind.values()].reverse().flatMap((tokens) => [...tokens]))),
    }
  }

  /** Tokens for values that are met only while a text is rewritten, numbered in the order of asking. */
  numberInUse(kind: string): (value: string) => string {
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

/** Finds ids inside a text at a word boundary, longest first. A transcript may hold thousands: they are looked up by their beginning. */
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
