// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal must not get
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/**
 * Shows control characters of foreign text as JSON escapes (`\u001b`), so that it cannot move the cursor, set a title,
 * colour or reorder what a person reads. Line feeds and tabs stay.
 */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
