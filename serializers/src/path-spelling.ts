/** How a spelling begins, which decides where it can occur. */
export type SpellingKind = 'absolute' | 'relative' | 'drive' | 'unc'

/** A regular expression for one absolute path in one kind of spelling. */
export interface Spelling {
  readonly kind: SpellingKind
  /** For the flag `u`, without capturing groups. `anyOf` in `path-pattern.ts` adds the context. */
  readonly source: string
  /** The length of the path: a longer path wins over a directory that contains it. */
  readonly length: number
  /** A part of the path that every spelling contains; in lower case if {@link ignoresCase}. */
  readonly landmark: string
  readonly ignoresCase: boolean
}

/** The spellings of an absolute path, POSIX or Windows; none for a root and for a relative path. */
export function spellingsOf(path: string): Spelling[] {
  const composed = path.normalize('NFC')
  const isWindows = /^[A-Za-z]:[\\/]|^\\\\/.test(composed)
  const names = composed.split(isWindows ? /[\\/]+/ : '/').filter((name) => name !== '')
  if (!isWindows) return composed.startsWith('/') ? posix(names) : []
  if (composed.startsWith('\\\\')) return names.length > 0 ? [windows('unc', UNC, names)] : []
  const [drive = '', ...rest] = names
  if (rest.length === 0) return []
  const letter = eitherCase(drive.charAt(0))
  const mounted = `${LEAD}(?:mnt${SLASHES}|cygdrive${SLASHES})?${letter}${SLASHES}`
  return [windows('drive', `${letter}(?::|%(?:25)*3[aA])${BACKSLASH}`, rest), windows('absolute', mounted, rest)]
}

/** Separators: escaped by JSON to any depth (`\/`, `\\\\`), doubled, mixed, percent-encoded once or more. */
export const ENCODED_SLASH = '%(?:25)*2[fF]'
const SLASH = String.raw`(?:\\*/|${ENCODED_SLASH})`
const SLASHES = String.raw`(?:(?:\\*/)+|(?:${ENCODED_SLASH})+)`
const BACKSLASH = String.raw`(?:[\\/]+|%(?:25)*5[cC]|${ENCODED_SLASH})`
const UNC = String.raw`[\\/]{2,}`
/** The first slash of a path. Two slashes after a colon belong to a URL, and a host follows. */
const LEAD = String.raw`(?:${SLASH}|(?<!:)(?:\\*/){2,})`

/** With or without `/private`, which macOS puts before the real path of its temporary directories. */
function posix(path: readonly string[]): Spelling[] {
  const names = path[0] === 'private' && path.length > 1 ? path.slice(1) : path
  if (names.length === 0) return []
  const spelled = `(?:private${SLASHES})?${names.map((name) => spellName(name, spellCharacter)).join(SLASHES)}`
  const shared = { length: names.join('/').length, landmark: landmarkOf(names), ignoresCase: false }
  const absolute: Spelling = { ...shared, kind: 'absolute', source: LEAD + spelled }
  // Without its slash, a path of one name could be any word.
  return names.length === 1 ? [absolute] : [absolute, { ...shared, kind: 'relative', source: spelled }]
}

/** Names on Windows are case-insensitive, and some tools print them in lower case. */
function windows(kind: SpellingKind, begin: string, names: readonly string[]): Spelling {
  const separator = kind === 'absolute' ? SLASHES : BACKSLASH
  return {
    kind,
    source: begin + names.map((name) => spellName(name, eitherCase)).join(separator),
    length: names.join('/').length,
    landmark: landmarkOf(names).toLowerCase(),
    ignoresCase: true,
  }
}

/** Only letters and digits are the same in every spelling, except a letter that a combining accent follows. */
function landmarkOf(names: readonly string[]): string {
  const plain = names.flatMap((name) => name.match(/[A-Za-z0-9]+(?!\p{M})/gu) ?? [])
  return plain.reduce((longest, part) => (part.length > longest.length ? part : longest), '')
}

function spellName(name: string, spell: (character: string) => string): string {
  return Array.from(name, spell).join('')
}

function eitherCase(character: string): string {
  const cases = new Set([character, character.toLowerCase(), character.toUpperCase()])
  const spelled = [...cases].filter((other) => Array.from(other).length === 1).map(spellCharacter)
  return spelled.length === 1 ? (spelled[0] ?? '') : `(?:${spelled.join('|')})`
}

/** A character as it is, percent-encoded, or escaped by JSON or for a shell; composed or decomposed (NFC or NFD). */
function spellCharacter(character: string): string {
  if (/[A-Za-z0-9]/.test(character)) return character
  if (/\p{Cs}/u.test(character)) return character
  if (/[\w.~-]/.test(character)) return `(?:${escaped(character)}|${percentEncoded(character)})`
  const forms = [...new Set([character, character.normalize('NFD')])]
  return `(?:${forms.flatMap((form) => [plain(form), percentEncoded(form), jsonEscaped(form)]).join('|')})`
}

function plain(character: string): string {
  if (character === '\\') return String.raw`\\+`
  // A shell closes the quotes before it: 'it'\''s', 'it'"'"'s'.
  if (character === "'") return String.raw`(?:'(?:\\+'|\\*"'\\*")'|\\*')`
  return /\p{L}/u.test(character) ? character : String.raw`\\*${escaped(character)}`
}

function escaped(characters: string): string {
  return characters.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&')
}

/** The letter of a decomposed character stays; each `%` may be encoded again. */
function percentEncoded(characters: string): string {
  return Array.from(characters, (character) => {
    if (/[A-Za-z0-9]/.test(character)) return character
    const encoded = encodeURIComponent(character)
    const once = encoded === character ? `%${hex(character.charCodeAt(0), 2)}` : encoded
    return anyCase(once).replaceAll('%', '%(?:25)*')
  }).join('')
}

function jsonEscaped(characters: string): string {
  return Array.from({ length: characters.length }, (_, i) => {
    if (/[A-Za-z0-9]/.test(characters.charAt(i))) return characters.charAt(i)
    return String.raw`\\+u${anyCase(hex(characters.charCodeAt(i), 4))}`
  }).join('')
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, '0')
}

function anyCase(digits: string): string {
  return digits.replace(/[A-Fa-f]/g, (digit) => `[${digit.toLowerCase()}${digit.toUpperCase()}]`)
}
