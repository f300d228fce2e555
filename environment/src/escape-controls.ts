/** Characters that a terminal interprets or hides: controls, line ends, direction marks, lone surrogates. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/**
 * Replaces control characters of foreign text with JSON escapes (`\u001b`), so that the text cannot move the cursor, set
 * a title, or colour and reorder the output. Line feeds and tabs stay.
 */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (char) => (char === '\n' || char === '\t' ? char : escapeChar(char)))
}

/** The same for a text that must stay on one line of a message: it also escapes line feeds and tabs. */
export function escapeLine(text: string): string {
  return text.replace(CONTROLS, escapeChar)
}

function escapeChar(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}
