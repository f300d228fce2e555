/**
 * How many levels of arrays and objects a value may have. The code that reads and prints a value is recursive, and
 * 1,500 levels overflowed the stack.
 */
const MAX_DEPTH = 500

/**
 * Checks how deeply the arrays and objects of a JSON text are nested. Brackets in strings do not count.
 *
 * @returns the problem, to complete a sentence such as "frame 2 is …"; `undefined` when the text is not nested too deeply
 */
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

/** The position of the closing quote of the string that begins at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}
