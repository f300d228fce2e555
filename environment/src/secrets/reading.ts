/** A decoded form of a text, with the original position of each of its characters. */
export interface Reading {
  text: string
  /** The offset in the original text of the character at an offset of this text. */
  origin: (offset: number) => number
  /** The offset in the original text after that character. The original may be a longer escape. */
  until: (offset: number) => number
}

/** More levels of escaping than any tool writes. Without a limit, a crafted file could have thousands. */
const MOST_LEVELS = 8

const ESCAPE =
  /((?:\\\\){1,2000})|\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\x([0-9a-f]{2})|\\(["'/bfnrt])|%([0-7][0-9a-f])|((?:%[89a-f][0-9a-f]){1,1200})|&#x([0-9a-f]{1,6});|&#(\d{1,7});/gi

const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** NUL (from UTF-16) and invisible characters such as the zero-width space: the inside of a character class. */
const UNSEEN = String.raw`\0\p{DI}`

const COLOUR = String.raw`\u001b\[[\d;]{0,20}[A-Za-z]`

/** Every repetition is bounded: a match of megabytes overflows the stack of the regular expression. */
const RUN = '{1,4096}'

/** Characters that are invisible between two letters. */
const INVISIBLE = new RegExp(`[${UNSEEN}]${RUN}|${COLOUR}`, 'gu')

/** White space, where a long value may be split, and invisible characters. */
const SPACE = new RegExp(`[\\s${UNSEEN}]${RUN}|${COLOUR}`, 'gu')

/** Text in hex or base64, possibly over several lines. Shorter text contains no secret of a known shape. */
const ENCODED = /(?:[A-Za-z0-9+/]{60,200}\r?\n){1,500}[A-Za-z0-9+/]{0,200}={0,2}|[A-Za-z0-9+/_-]{24,65536}={0,2}/g

/** What text does not contain: bytes that are not UTF-8, and control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these tell text from other bytes
const NO_TEXT = /[\ufffd\u0000-\u0008\u000e-\u001a\u001c-\u001f]/

/**
 * The text itself, and its decoded forms, level by level: escapes (JSON, percent, HTML), then hex and base64. Each form
 * also comes without invisible characters: NULs of UTF-16, zero-width characters, terminal colours.
 */
export function readingsOf(start: Reading): Reading[] {
  const levels: Reading[] = [start]
  let last = start
  for (let level = 0; level < MOST_LEVELS; level++) {
    let next = rewrite(last, ESCAPE, unescapeOne)
    if (next === last) next = rewrite(last, ENCODED, decodeOne)
    if (next === last) break
    levels.push(next)
    last = next
  }
  return levels.flatMap((reading) => {
    const visible = rewrite(reading, INVISIBLE, () => '')
    return visible === reading ? [reading] : [reading, visible]
  })
}

/** The text without white space and line ends, where a long value may be split. */
export function withoutSpace(reading: Reading): Reading {
  return rewrite(reading, SPACE, () => '')
}

/** A value without white space. */
export function dense(value: string): string {
  return value.replace(SPACE, '')
}

/** The unchanged text as a reading. */
export function verbatim(text: string): Reading {
  return { text, origin: (offset) => offset, until: (offset) => offset + 1 }
}

/** Joins pieces of a text. `at` is a piece's offset in the original. */
export function joined(pieces: readonly { text: string; at: number }[]): Reading {
  const outs: number[] = []
  let length = 0
  for (const { text } of pieces) {
    outs.push(length)
    length += text.length
  }
  const origin = (offset: number) => pieces[lastAtMost(outs, offset)]?.at ?? 0
  return { text: pieces.map(({ text }) => text).join(''), origin, until: (offset) => origin(offset) + 1 }
}

/** All decoded forms of a value, as a reading of a text may contain them. */
export function unescaped(value: string): string[] {
  return readingsOf(verbatim(value)).map(({ text }) => text)
}

/** The index of the last number that is at most `limit`, in an ascending list. */
export function lastAtMost(rising: readonly number[], limit: number): number {
  let low = 0
  let high = rising.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rising[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Replaces each match; `undefined` keeps it. Returns the same reading when nothing changes. */
function rewrite(reading: Reading, pattern: RegExp, replace: (match: RegExpMatchArray) => string | undefined): Reading {
  const { text } = reading
  const parts: string[] = []
  /** Where each replacement begins and ends, in the new text (out) and in the old text (in). */
  const outStarts: number[] = []
  const outEnds: number[] = []
  const inStarts: number[] = []
  const inEnds: number[] = []
  let length = 0
  let end = 0
  for (const match of text.matchAll(pattern)) {
    const replacement = replace(match)
    if (replacement === undefined) continue
    const before = text.slice(end, match.index)
    parts.push(before, replacement)
    end = match.index + match[0].length
    outStarts.push(length + before.length)
    length += before.length + replacement.length
    outEnds.push(length)
    inStarts.push(match.index)
    inEnds.push(end)
  }
  if (parts.length === 0) return reading
  parts.push(text.slice(end))
  const at = (offset: number) => {
    const i = lastAtMost(outStarts, offset)
    const past = offset - (outEnds[i] ?? 0)
    if (past < 0) return { first: inStarts[i] ?? 0, last: (inEnds[i] ?? 0) - 1 }
    return { first: (inEnds[i] ?? 0) + past, last: (inEnds[i] ?? 0) + past }
  }
  return {
    text: parts.join(''),
    origin: (offset) => reading.origin(at(offset).first),
    until: (offset) => reading.until(at(offset).last),
  }
}

function unescapeOne(match: RegExpMatchArray): string {
  const [whole, backslashes, unicode, point, byte, letter, ascii, bytes, entity, decimal] = match
  if (backslashes !== undefined) return backslashes.slice(backslashes.length / 2)
  if (letter !== undefined) return CONTROLS[letter] ?? letter
  if (bytes !== undefined) return Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8')
  const hex = unicode ?? point ?? byte ?? ascii ?? entity
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole
}

/** The decoded hex or base64, if it is text. */
function decodeOne([encoded]: RegExpMatchArray): string | undefined {
  const joined = encoded.replace(/[\r\n]+/g, '')
  const isHex = /^(?:[0-9a-f]{2})+$/i.test(joined)
  const text = Buffer.from(joined, isHex ? 'hex' : 'base64').toString('utf8')
  return NO_TEXT.test(text) ? undefined : text
}
