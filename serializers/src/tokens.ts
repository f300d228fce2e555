import type { Finder } from './matches.ts'

/** The name of a token; the source of a regular expression. */
export const TOKEN_NAME = '[A-Za-z][A-Za-z0-9]*'

/** Matches a token; the source of a regular expression. */
export const TOKEN = String.raw`\{\{${TOKEN_NAME}(?:\.\d+|:relative)?\}\}`

const WHOLE = new RegExp(`^${TOKEN}$`)
const AT_END = new RegExp(`${TOKEN}$`)
const LONGEST = 80
const EACH = new RegExp(TOKEN, 'g')

/** `{{sessionId}}` for the first value of a kind, `{{sessionId.2}}` for the second. */
export function token(name: string, n = 1): string {
  return n === 1 ? `{{${name}}}` : `{{${name}.${n}}}`
}

/** Whether a text is exactly one token. */
export function isToken(text: string): boolean {
  return text.startsWith('{{') && WHOLE.test(text)
}

/** Whether a text is exactly one token of this name, with any number. */
export function isTokenOf(text: string, name: string): boolean {
  return isToken(text) && (text === token(name) || text.startsWith(`{{${name}.`))
}

/** Whether a token ends at `end`. */
export function endsInToken(text: string, end: number): boolean {
  return text.startsWith('}}', end - 2) && AT_END.test(text.slice(Math.max(0, end - LONGEST), end))
}

export function tokensIn(text: string): readonly string[] {
  return text.includes('{{') ? (text.match(EACH) ?? []) : []
}

/** Finds tokens and keeps them, so that nothing inside a token is replaced. */
export const findToken: Finder = (text) => {
  if (!text.includes('{{')) return undefined
  return (from) => {
    const first = text.indexOf('{{', from)
    if (first === -1) return undefined
    EACH.lastIndex = first
    const found = EACH.exec(text)
    return found ? { start: found.index, end: EACH.lastIndex, replacement: () => found[0] } : undefined
  }
}

/** The name of a token, without its number. */
export function nameOfToken(text: string): string {
  return NAME.exec(text)?.[0] ?? ''
}

const NAME = new RegExp(TOKEN_NAME)
