/** A text as somebody may read it, and where each of its characters stands in the text that it was made of. */
export interface Reading {
  text: string
  /** The offset in the original text of the character at an offset of this one. */
  origin: (offset: number) => number
}

/** More levels of escaping than any tool writes; without a limit, a crafted file could ask for thousands. */
const MOST_LEVELS = 8

const ESCAPE =
  /((?:\\\\)+)|\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\x([0-9a-f]{2})|\\(["'/bfnrt])|%([0-7][0-9a-f])|((?:%[89a-f][0-9a-f])+)/gi

const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/**
 * The text itself, and with its escapes undone (JSON, percent), level by level. UTF-16 is read too: where there are
 * NUL characters, also without them.
 */
export function readingsOf(start: Reading): Reading[] {
  const levels: Reading[] = [start]
  let last = start
  for (let level = 0; level < MOST_LEVELS; level++) {
    const next = rewrite(last, ESCAPE, unescapeOne)
    if (next === last) break
    levels.push(next)
    last = next
  }
  return levels.flatMap((reading) =>
    reading.text.includes('\0') ? [reading, rewrite(reading, /\0+/g, () => '')] : [reading],
  )
}

/** The text without white space and line ends, at which a long value may have been split. */
export function withoutSpace(reading: Reading): Reading {
  return rewrite(reading, /[\s\0]+/g, () => '')
}

/** The text as it is. */
export function verbatim(text: string): Reading {
  return { text, origin: (offset) => offset }
}

/** Reads pieces of a text as one; each knows where it stands in the original. */
export function joined(pieces: readonly { text: string; at: number }[]): Reading {
  const outs: number[] = []
  let length = 0
  for (const { text } of pieces) {
    outs.push(length)
    length += text.length
  }
  return {
    text: pieces.map(({ text }) => text).join(''),
    origin: (offset) => pieces[lastAtMost(outs, offset)]?.at ?? 0,
  }
}

/** The value with every level of its own escapes undone, as a reading of it would have it. */
export function unescaped(value: string): string[] {
  return readingsOf(verbatim(value)).map(({ text }) => text)
}

/** The index of the last number that is at most `limit`, in a list that rises. */
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

function rewrite(reading: Reading, pattern: RegExp, replace: (match: RegExpMatchArray) => string): Reading {
  const { text } = reading
  const parts: string[] = []
  /** After each replacement: the offset in the new text, and the offset in the old one. */
  const outs = [0]
  const ins = [0]
  let length = 0
  let end = 0
  for (const match of text.matchAll(pattern)) {
    const before = text.slice(end, match.index)
    const replacement = replace(match)
    parts.push(before, replacement)
    length += before.length + replacement.length
    end = match.index + match[0].length
    outs.push(length)
    ins.push(end)
  }
  if (parts.length === 0) return reading
  parts.push(text.slice(end))
  const origin = (offset: number) => {
    const i = lastAtMost(outs, offset)
    return reading.origin((ins[i] ?? 0) + offset - (outs[i] ?? 0))
  }
  return { text: parts.join(''), origin }
}

function unescapeOne(match: RegExpMatchArray): string {
  const [whole, backslashes, unicode, point, byte, letter, ascii, bytes] = match
  if (backslashes !== undefined) return backslashes.slice(backslashes.length / 2)
  if (letter !== undefined) return CONTROLS[letter] ?? letter
  if (bytes !== undefined) return Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8')
  const code = Number.parseInt(unicode ?? point ?? byte ?? ascii ?? '', 16)
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole
}
