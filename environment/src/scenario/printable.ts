/** What a terminal obeys or hides: control characters, line ends, marks of direction, halves of a pair. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** Text of a fixture, or the name of a file, as it can stand in one line of a message. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => {
    const code = character.charCodeAt(0)
    return code < 0x100 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`
  })
}

/** The beginning of a long text, with a mark that says how long it is. */
export function inBrief(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}… (${text.length} characters)` : text
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0')
}
