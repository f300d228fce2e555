/** What a terminal obeys or hides: control characters, line ends, marks of direction, halves of a pair. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/**
 * Shows control characters of foreign text as JSON escapes (`\u001b`), so that it cannot move the cursor, set a title,
 * colour or reorder what a person reads. Line feeds and tabs stay.
 */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (char) => (char === '\n' || char === '\t' ? char : escapeChar(char)))
}

/** The same for a text that has to stay in one line of a message: line feeds and tabs are shown too. */
export function escapeLine(text: string): string {
  return text.replace(CONTROLS, escapeChar)
}

function escapeChar(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}
