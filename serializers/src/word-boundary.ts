/**
 * What makes a word go on, as the inside of a character class. Letters of scripts that set no spaces between words
 * (Chinese, Japanese, Thai …) are not in it: `在/tmp/x中` holds the path `/tmp/x`.
 */
export const WORD = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{M}_`

/** Ends in a letter, yet ends a word: `\n` and its like in JSON inside a string, and an ANSI colour. */
export const ESCAPE = String.raw`\\[bfnrt]|(?:${'\u001b'}|\\u001[bB])\[[\d;]*m`

const WORD_CHARACTER = new RegExp(`[${WORD}]`, 'u')
const ESCAPE_AT_END = new RegExp(`(?:${ESCAPE}|%[0-9A-Fa-f]{2})$`, 'u')
const LONGEST_ESCAPE = 24

/** Whether a word can begin at `at`: after no word character, or after an escape (`\n`, `%2F`, the end of an ANSI colour). */
export function canBegin(text: string, at: number): boolean {
  return isWordBoundary(text, at) || ESCAPE_AT_END.test(text.slice(Math.max(0, at - LONGEST_ESCAPE), at))
}

/** Whether `text[at - 1]` and `text[at]` do not both belong to one word. */
export function isWordBoundary(text: string, at: number): boolean {
  return !WORD_CHARACTER.test(text.charAt(at - 1)) || !WORD_CHARACTER.test(text.charAt(at))
}
