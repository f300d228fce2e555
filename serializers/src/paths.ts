import { type Spelling, spellingsOf } from './spelling.ts'
import type { Finder } from './text.ts'
import type { KnownPaths } from './volatile.ts'

interface KnownSpelling extends Spelling {
  readonly token: string
}

/**
 * Finds the known paths, longest first, in every spelling, at a path boundary on both sides.
 * An absolute path becomes `{{name}}`; one that lost its leading slash, as `path.relative('/', p)` makes it,
 * becomes `{{name:relative}}`. What follows the path stays as it is, and so does the `file://` before it.
 */
export function pathFinder(paths: KnownPaths): Finder {
  const known = Object.entries(paths)
    .flatMap(([name, aliases]) => aliases.flatMap((path) => knownSpellings(name, path)))
    .sort((a, b) => b.length - a.length)
  if (known.length === 0) return () => undefined
  const landmarks = [...new Set(known.map(({ landmark }) => landmark))]
  const pattern = new RegExp(known.map(({ source }) => `(${source})`).join('|'), 'gu')
  return (text, from) => {
    if (!landmarks.some((landmark) => text.includes(landmark, from))) return undefined
    pattern.lastIndex = from
    const found = pattern.exec(text)
    if (!found) return undefined
    const which = found.slice(1).findIndex((group) => group !== undefined)
    return { start: found.index, end: pattern.lastIndex, replacement: known[which]?.token ?? found[0] }
  }
}

function knownSpellings(name: string, path: string): KnownSpelling[] {
  return spellingsOf(path).map((spelling) => ({
    ...spelling,
    token: spelling.relative ? `{{${name}:relative}}` : `{{${name}}}`,
  }))
}
