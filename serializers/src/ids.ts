import { canBegin, isWordBoundary } from './boundary.ts'
import type { Finder } from './text.ts'
import { isToken, token, tokensIn } from './tokens.ts'

/** Keys of ACP whose value the agent makes up anew in every run. */
const ALWAYS: ReadonlySet<string> = new Set(['sessionId', 'messageId'])

/**
 * Keys of ACP whose value may come from the model, the client or a counter: it stays visible, unless one can see
 * that it was made up.
 */
const WHEN_MINTED: ReadonlySet<string> = new Set(['toolCallId', 'terminalId', 'elicitationId', 'compactionId'])

/** A clock in epoch ms, or a UUID. */
const MINTED = /(?<!\d)1\d{12}(?!\d)|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i

/** An id that is shorter is replaced as the value of its key, and never inside a text. */
const SHORTEST_IN_TEXT = 8

/** Whether the value of a key is an id that differs from run to run. A token is none: it stays. */
export function isVolatileId(key: string, value: string): boolean {
  if (value === '' || isToken(value)) return false
  return ALWAYS.has(key) || (WHEN_MINTED.has(key) && MINTED.test(value))
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

  number(): NumberedIds {
    const byKind = new Map([...this.#ids].map(([kind, ids]) => [kind, this.#tokens(kind, ids)]))
    return {
      tokenOf: (kind, id) => byKind.get(kind)?.get(id),
      find: idFinder(new Map([...byKind.values()].reverse().flatMap((tokens) => [...tokens]))),
    }
  }

  #tokens(kind: string, ids: ReadonlySet<string>): Map<string, string> {
    let n = 0
    const next = (): string => {
      do n++
      while (this.#reserved.has(token(kind, n)))
      return token(kind, n)
    }
    return new Map([...ids].map((id) => [id, next()]))
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
  return (text, from) => {
    for (let at = from; at <= text.length - SHORTEST_IN_TEXT; at++) {
      if (!firstUnits.has(text.charCodeAt(at))) continue
      const candidates = byBeginning.get(text.slice(at, at + SHORTEST_IN_TEXT))
      if (!candidates || !canBegin(text, at)) continue
      const id = candidates.find((id) => text.startsWith(id, at) && isWordBoundary(text, at + id.length))
      if (id !== undefined) return { start: at, end: at + id.length, replacement: tokens.get(id) ?? id }
    }
    return undefined
  }
}
