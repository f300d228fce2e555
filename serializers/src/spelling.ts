import { ESCAPE, WORD } from './boundary.ts'

/** A regular expression for one absolute path in every spelling, at a path boundary. */
export interface Spelling {
  /** For the flag `u`, without capturing groups. */
  readonly source: string
  /** Whether it is the spelling without the leading slash. */
  readonly relative: boolean
  /** How long the path is, to prefer a longer path over one that it lies in. */
  readonly length: number
  /** A part of the path that every spelling holds as it is. */
  readonly landmark: string
}

/** The spellings of an absolute path, POSIX or Windows. A root, and a path that is not absolute, have none. */
export function spellingsOf(path: string): Spelling[] {
  const names = path.split(/^[A-Za-z]:[\\/]|^\\\\/.test(path) ? /[\\/]+/ : '/').filter((name) => name !== '')
  if (path.startsWith('/')) return posix(names)
  if (path.startsWith('\\\\') && names.length > 0) return [spelling(UNC_BEGIN + UNC, names, BACKSLASH)]
  const [drive, ...rest] = names
  if (drive === undefined || rest.length === 0 || !/^[A-Za-z]:/.test(path)) return []
  const letter = drive.charAt(0)
  const colon = `[${letter.toLowerCase()}${letter.toUpperCase()}](?::|%3[aA])${BACKSLASH}`
  return [spelling(DRIVE_BEGIN + colon, rest, BACKSLASH)]
}

/** Separators: escaped by JSON to any depth (`\/`, `\\\\`), doubled, mixed, percent-encoded. */
const SLASH = String.raw`(?:\\*/|%2[fF])`
const SLASHES = String.raw`(?:(?:\\*/)+|%2[fF])`
const BACKSLASH = String.raw`(?:[\\/]+|%5[cC]|%2[fF])`
const UNC = String.raw`[\\/]{2,}`
const FILE_URL = String.raw`file:\\*/\\*/(?:localhost)?`

/** Where a path can begin although a letter or a sign stands before it; the sign is that of a line in a diff. */
const BREAK = String.raw`${ESCAPE}|(?:^|[\s"'${'`'}]|\\[nrt])[+\-]`
const NO_PATH_BEFORE = String.raw`(?<![${WORD}.~+\-/\\]|\}\})`
const POSIX_BEGIN = `(?:${NO_PATH_BEFORE}|(?<=${BREAK}|${FILE_URL}))`
const RELATIVE_BEGIN = String.raw`(?:${NO_PATH_BEFORE}|(?<=${BREAK}|(?<![${WORD}.}])\.\.\\*/))`
const DRIVE_BEGIN = String.raw`(?:(?<=${FILE_URL})\\*/|(?<![${WORD}]|\}\})|(?<=${ESCAPE}))`
const UNC_BEGIN = `(?:${NO_PATH_BEFORE}|(?<=${ESCAPE}))`

/** What a file name goes on with (`{` opens a brace expansion, or a token); dots alone end a sentence. */
const NAME = String.raw`${WORD}\-~+@\{`
const END = String.raw`(?![${NAME}]|%(?!2[fF2]|5[cC])|\.+[${NAME}%/]|\\+ )`

/** With or without `/private`, which macOS puts before the real path of its temporary directories. */
function posix(path: readonly string[]): Spelling[] {
  const names = path[0] === 'private' && path.length > 1 ? path.slice(1) : path
  if (names.length === 0) return []
  const absolute = spelling(`${POSIX_BEGIN}(?:${SLASH}private)?${SLASH}`, names, SLASHES)
  if (names.length === 1) return [absolute] // without its slash it would be any word
  const relative = spelling(`${RELATIVE_BEGIN}(?:private${SLASHES})?`, names, SLASHES)
  return [absolute, { ...relative, relative: true }]
}

function spelling(begin: string, names: readonly string[], separator: string): Spelling {
  const plain = names.flatMap((name) => name.match(/[\w.~-]+/g) ?? [])
  return {
    source: begin + names.map(spellName).join(separator) + END,
    relative: false,
    length: names.join('/').length,
    landmark: plain.reduce((longest, part) => (part.length > longest.length ? part : longest), ''),
  }
}

function spellName(name: string): string {
  return Array.from(name, spellCharacter).join('')
}

/** As it is, percent-encoded, or escaped by JSON. */
function spellCharacter(character: string): string {
  if (/[\w.~-]/.test(character)) return character.replace('.', '\\.')
  if (/\p{Cs}/u.test(character)) return character
  const plain =
    character === '\\' ? '\\\\+' : character === '"' ? '\\\\*"' : character.replace(/[$()*+?[\]^{|}]/, '\\$&')
  return `(?:${plain}|${percentEncoded(character)}|${jsonEscaped(character)})`
}

function percentEncoded(character: string): string {
  const encoded = encodeURIComponent(character)
  return anyCase(encoded === character ? `%${hex(character.charCodeAt(0), 2)}` : encoded)
}

function jsonEscaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => hex(character.charCodeAt(i), 4))
  return units.map((unit) => String.raw`\\+u${anyCase(unit)}`).join('')
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, '0')
}

function anyCase(digits: string): string {
  return digits.replace(/[A-Fa-f]/g, (digit) => `[${digit.toLowerCase()}${digit.toUpperCase()}]`)
}
