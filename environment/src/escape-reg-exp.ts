/**
 * Escapes text for a regular expression, with or without the flag `u`; not for a character class. People read the
 * result in commands, so a `-` stays a `-` (`escape-string-regexp` writes `\x2d`).
 */
export function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
