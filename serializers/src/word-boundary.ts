/**
 * The characters that continue a word, for a character class. It leaves out letters of scripts without spaces between
 * words (Chinese, Japanese, Thai …): `在/tmp/x中` contains the path `/tmp/x`.
 */
export const WORD = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{M}_`

/** These end in a letter but are not part of a word: escapes like `\n` in JSON inside a string, and ANSI colours. */
export const ESCAPE = String.raw`\\[bfnrt]|(?:${'\u001b'}|\\u001[bB])\[[\d;]*m`

const WORD_CHARACTER = new RegExp(`[${WORD}]`, 'u')
const ESCAPE_AT_END = new RegExp(`(?:${ESCAPE}|%[0-9A-Fa-f]{2})$`, 'u')
const LONGEST_ESCAPE = 24

/** Whether a word can begin at `at`: not after a word character, unless that ends an escape (`\n`, `%2F`, an ANSI colour). */
export function canBegin(text: string, at: number): boolean {
  return isWordBoundary(text, at) || ESCAPE_AT_END.test(text.slice(Math.max(0, at - LONGEST_ESCAPE), at))
}

/** Whether `text[at - 1]` and `text[at]` do not belong to the same word. */
export function isWordBoundary(text: string, at: number): boolean {
  return !WORD_CHARACTER.test(text.charAt(at - 1)) || !WORD_CHARACTER.test(text.charAt(at))
}
