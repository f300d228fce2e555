import type { Finder } from './matches.ts'
import { anyOf } from './path-pattern.ts'
import { type Spelling, type SpellingKind, spellingsOf } from './path-spelling.ts'
import type { KnownPaths } from './volatile-values.ts'

interface KnownSpelling extends Spelling {
  readonly token: string
}

/**
 * Find the known paths in every spelling, with a path boundary on both sides; the longest path wins. An absolute path
 * becomes `{{name}}`; a path without its leading slash, as `path.relative('/', p)` returns it, becomes
 * `{{name:relative}}`. The rest of the path stays, and so does a `file://` before it.
 */
export function pathFinders(paths: KnownPaths): Finder[] {
  const known = Object.entries(paths)
    .flatMap(([name, aliases]) => aliases.flatMap((path) => knownSpellings(name, path)))
    .sort((a, b) => b.length - a.length)
  const kinds = new Set(known.map(({ kind }) => kind))
  return [...kinds].map((kind) =>
    kindFinder(
      kind,
      known.filter((spelling) => spelling.kind === kind),
    ),
  )
}

/** Makes a fast check whether a text can contain one of the spellings. */
export function canHold(spellings: readonly Spelling[]): (text: string) => boolean {
  const exact = landmarks(spellings.filter(({ ignoresCase }) => !ignoresCase))
  const small = landmarks(spellings.filter(({ ignoresCase }) => ignoresCase))
  return (text) => {
    if (exact.some((landmark) => text.includes(landmark))) return true
    if (small.length === 0) return false
    const lower = text.toLowerCase()
    return small.some((landmark) => lower.includes(landmark))
  }
}

function kindFinder(kind: SpellingKind, known: readonly KnownSpelling[]): Finder {
  const mayHold = canHold(known)
  const sources = known.map(({ source }) => source)
  const pattern = new RegExp(anyOf(kind, sources), 'gu')
  return (text) => {
    if (!mayHold(text)) return undefined
    return (from) => {
      pattern.lastIndex = from
      const found = pattern.exec(text)
      if (!found) return undefined
      const which = found.slice(1).findIndex((group) => group !== undefined)
      const token = known[which]?.token ?? found[0]
      return { start: found.index, end: pattern.lastIndex, replacement: () => token }
    }
  }
}

function knownSpellings(name: string, path: string): KnownSpelling[] {
  return spellingsOf(path).map((spelling) => ({
    ...spelling,
    token: spelling.kind === 'relative' ? `{{${name}:relative}}` : `{{${name}}}`,
  }))
}

function landmarks(spellings: readonly Spelling[]): string[] {
  return [...new Set(spellings.map(({ landmark }) => landmark))]
}
