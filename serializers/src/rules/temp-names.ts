import type { Finder } from '../matches.ts'
import { canHold } from '../path-finders.ts'
import { anyOf } from '../path-pattern.ts'
import { spellingsOf } from '../path-spelling.ts'
import { TOKEN } from '../tokens.ts'

/**
 * The rule `temp-names`: the random part in a name directly in a temp directory (`/tmp/shot_<uuid>.jpg`). The rest of the
 * name stays visible. A run's own directory (`/tmp/acp-<12 hex>`) is not covered: the current one is a known path, and
 * any other one should stay visible as a mistake.
 *
 * @param roots the temp directories
 * @param data paths that are data: their names stay
 */
export function tempNameFinder(
  roots: readonly string[],
  data: readonly string[],
  tokenOf: (part: string) => string,
): Finder {
  const spellings = roots
    .flatMap(spellingsOf)
    .filter(({ kind }) => kind !== 'relative')
    .sort((a, b) => b.length - a.length)
  if (spellings.length === 0) return () => undefined
  const kinds = [...new Set(spellings.map(({ kind }) => kind))]
  const rootSources = kinds.map((kind) => {
    const ofKind = spellings.filter((spelling) => spelling.kind === kind)
    return anyOf(
      kind,
      ofKind.map(({ source }) => source),
    )
  })
  const pattern = new RegExp(`(?:${rootSources.join('|')})${SEPARATOR}(?<name>${NAME})`, 'gu')
  const mayHold = canHold(spellings)
  const kept = new Set(data.flatMap((path) => path.split(/[\\/]+/)))
  return (text) => {
    if (!mayHold(text)) return undefined
    let name = { start: 0, end: 0 }
    return (from) => {
      // A name may hold several random parts.
      for (;;) {
        RANDOM.lastIndex = Math.max(from - name.start, 0)
        const found = from < name.end ? RANDOM.exec(text.slice(name.start, name.end)) : null
        if (found) {
          const [part] = found
          const start = name.start + found.index
          return { start, end: start + part.length, replacement: () => tokenOf(part) }
        }
        pattern.lastIndex = Math.max(from, name.end)
        const next = pattern.exec(text)?.groups?.name
        if (next === undefined) return undefined
        const end = pattern.lastIndex
        name = { start: kept.has(next) || RUN_DIR.test(next) ? end : end - next.length, end }
      }
    }
  }
}

const SEPARATOR = String.raw`[\\/]+`
const CHARACTERS = String.raw`[\p{L}\p{N}_.~+@=#\-]*`
/** A token in a name is part of the name, so the name does not end before it. */
const NAME = String.raw`${CHARACTERS}(?:${TOKEN}${CHARACTERS})*(?<=[\p{L}\p{N}_}])`
const RUN_DIR = /^acp-[\da-f]{12}$/

const NO_WORD_BEFORE = '(?<![A-Za-z0-9])'
const NO_WORD_AFTER = '(?![A-Za-z0-9])'
const UUID = String.raw`[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}`
const CLOCK = String.raw`1(?:\d{9}|\d{12}|\d{15}|\d{18})`
const LONG_HEX = String.raw`(?=[\da-fA-F]*\d)[\da-fA-F]{12,}|(?=\d*[a-fA-F])(?=[a-fA-F]*\d)[\da-fA-F]{8,11}`
/** Six characters after a sign, at the end. Anything that looks like a word or a number stays. */
const MKDTEMP = String.raw`(?<=[-_.])(?![A-Za-z]?[a-z]{5}$|[A-Z]{6}$|\d{6}$)[A-Za-z0-9]{6}$`
/** `tmp.aB3dE5fG7h` of mktemp, and `tmpk3j_x9ab` of Python. */
const MKTEMP = String.raw`(?<=^tmp\.)[A-Za-z0-9]{10}$|(?<=^tmp)[a-z0-9_]{8}(?=$|\.)`

const RANDOM = new RegExp(`${NO_WORD_BEFORE}(?:${UUID}|${CLOCK}|${LONG_HEX})${NO_WORD_AFTER}|${MKDTEMP}|${MKTEMP}`, 'g')
