import { escapeRegExp } from '../escape-reg-exp.ts'

/** A pattern that may cover the changing part of a text. */
export interface Pattern {
  readonly match: string
  readonly flags?: string
  /** A word for its name. */
  readonly word: string
}

/** Values with a shape of their own, which need no text around them. */
const SHAPES: readonly Pattern[] = [
  { word: 'uuid', match: String.raw`\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`, flags: 'i' },
  { word: 'date', match: String.raw`\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?` },
  { word: 'hour', match: String.raw`\b\d\d:\d\d:\d\d(?:\.\d+)?\b` },
  { word: 'release', match: String.raw`\b\d+\.\d+\.\d+(?:-[0-9A-Za-z.]+)?\b` },
]

/**
 * Patterns for what differs between the values of one text, the most specific first. The fixed text around a changing
 * word becomes a part of its pattern.
 */
export function generalize(values: readonly string[]): Pattern[] {
  const shapes = SHAPES.filter(({ match, flags }) => values.every((value) => new RegExp(match, flags).test(value)))
  return [...shapes, ...SPLITS.flatMap((split) => changingWords(values, split).flatMap(wordPatterns))]
}

/** How to cut a text into words and the single characters between them; the second way allows signs in a word. */
interface Split {
  readonly parts: RegExp
  readonly word: RegExp
}

const SPLITS: readonly Split[] = [
  { parts: /\d+\.\d+(?![\w.])|[0-9A-Za-z]+|[^0-9A-Za-z]/g, word: /^[0-9A-Za-z.]+$/ },
  { parts: /[\w+/=-]+|[^\w+/=-]/g, word: /^[\w+/=-]+$/ },
]

/** A word that differs between the values, and the fixed text on both sides. */
interface ChangingWord {
  readonly words: readonly string[]
  readonly before: string
  readonly after: string
}

function changingWords(values: readonly string[], { parts, word }: Split): ChangingWord[] {
  const cut = values.map((value) => value.match(parts) ?? [])
  const [first = [], ...others] = cut
  if (others.some(({ length }) => length !== first.length)) return []
  const differing = first.map((part, i) => others.some((other) => other[i] !== part))
  return differing.flatMap((differs, i) => {
    const words = cut.map((parts) => parts[i] ?? '')
    if (!differs || !words.every((part) => word.test(part))) return []
    const start = i === 0 ? 0 : differing.lastIndexOf(true, i - 1) + 1
    const end = differing.indexOf(true, i + 1)
    const before = withoutTokenBefore(first.slice(start, i).join(''))
    return { words, before, after: withoutTokenAfter(first.slice(i + 1, end === -1 ? undefined : end).join('')) }
  })
}

/** A token stands for another text when the pattern is applied. */
function withoutTokenBefore(text: string): string {
  const end = text.lastIndexOf('}}')
  return end === -1 ? text : text.slice(end + 2)
}

function withoutTokenAfter(text: string): string {
  const start = text.indexOf('{{')
  return start === -1 ? text : text.slice(0, start)
}

/** With little of the fixed text, then with more. */
function wordPatterns({ words, before, after }: ChangingWord): Pattern[] {
  const { start, end } = isOneHex(words) ? { start: 0, end: 0 } : commonLetters(words)
  const [word = ''] = words
  const [head, tail] = [word.slice(0, start), word.slice(word.length - end)]
  const kind = classOf(words.map((word) => word.slice(start, word.length - end)))
  if (!kind) return []
  const name = nameIn(before + head) ?? kind.name
  const short = { left: LAST_WORD.exec(before)?.[0] ?? '', right: '' }
  const long = { left: before.slice(-LONG), right: after.slice(0, LONG) }
  return [short, long].map(({ left, right }) => ({
    match: `${precededBy(left + head)}${kind.source}${followedBy(tail + right)}`,
    word: name,
  }))
}

/** The last word, with a sign and a space after it. */
const LAST_WORD = /(?:[\w-]{1,30}[^\w\s-]?|\S)\s?$/

const LONG = 40

function nameIn(text: string): string | undefined {
  return text.match(/[A-Za-z]{2,}/g)?.at(-1)
}

const HEX = /^[0-9a-f]+$/

/** Long hexadecimal words of one length: what they begin with in common is chance. */
function isOneHex(words: readonly string[]): boolean {
  return words.every((word) => HEX.test(word) && word.length >= 6 && word.length === words[0]?.length)
}

/** How many letters and signs all words begin and end with. */
function commonLetters(words: readonly string[]): { start: number; end: number } {
  const shortest = Math.min(...words.map(({ length }) => length))
  const isCommon = (at: number) => {
    const [letter = '', ...others] = words.map((word) => word.at(at) ?? '')
    return /\D/.test(letter) && others.every((other) => other === letter)
  }
  let start = 0
  while (start < shortest - 1 && isCommon(start)) start++
  let end = 0
  while (start + end < shortest - 1 && isCommon(-1 - end)) end++
  return { start, end }
}

/** What the words have in common. Nothing for words of a language: those are what the agent says. */
function classOf(words: readonly string[]): { source: string; name: string } | undefined {
  const [length = 0, ...others] = new Set(words.map((word) => word.length))
  const times = others.length === 0 ? `{${length}}` : '+'
  const every = (pattern: RegExp) => words.every((word) => pattern.test(word))
  if (every(/^\d+$/)) return { source: String.raw`\d+`, name: 'number' }
  if (every(/^\d+(?:\.\d+)?$/)) return { source: String.raw`\d+(?:\.\d+)?`, name: 'number' }
  if (!words.some((word) => /\d/.test(word)) && length < 12) return undefined
  if (every(HEX)) return { source: `[0-9a-f]${times}`, name: 'hex' }
  if (every(/^[0-9A-Za-z]+$/)) return { source: `[0-9A-Za-z]${times}`, name: 'random' }
  return { source: `[\\w+/=-]${times}`, name: 'random' }
}

function precededBy(text: string): string {
  return text === '' ? '(?<![0-9A-Za-z])' : `(?<=${escapeRegExp(text)})`
}

function followedBy(text: string): string {
  return text === '' ? '(?![0-9A-Za-z])' : `(?=${escapeRegExp(text)})`
}
