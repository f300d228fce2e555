/**
 * How many arrays and objects may lie in one another. What reads and prints a value goes down into it, and the stack has
 * an end: with 1,500 objects it was reached.
 */
const MAX_DEPTH = 500

/** What is wrong with a JSON text whose values lie too deep in one another, if they do. Strings are skipped. */
export function depthProblem(text: string): string | undefined {
  // Each level has two brackets.
  if (text.length <= 2 * MAX_DEPTH || !isTooDeep(text)) return undefined
  return `nested too deeply: at most ${MAX_DEPTH} levels are read`
}

function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      if (++depth > MAX_DEPTH) return true
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth--
  }
  return false
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The position of the quote that ends the string which begins at `start`, or of the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}
