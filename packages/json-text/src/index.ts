/** A fault in a JSON text. Line and column count from 1. The problem quotes at most one character of the text. */
interface JsonProblem {
  kind: 'not JSON' | 'too deep'
  /** For example `not JSON: expected a value, got "}"`. */
  problem: string
  line: number
  column: number
}

/** How deep arrays and objects may be nested. Code that walks a value recurses, and the stack is limited. */
const MAX_JSON_DEPTH = 100

/**
 * Parses untrusted JSON text. Never throws: returns the problem of a text that is not JSON or is nested too deeply.
 * `JSON.parse` does not always give the position of an error, and its messages may quote a secret.
 */
export function parseJsonText(text: string): { value: unknown } | JsonProblem {
  const deep = tooDeepAt(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const { at, expected } = syntaxProblem(text)
    const problem = `not JSON: expected ${expected}, got ${characterAt(text, at)}`
    return { kind: 'not JSON', problem, ...placeOf(text, at) }
  }
  if (deep === undefined) return { value }
  const problem = `nested too deeply: at most ${MAX_JSON_DEPTH} levels are read`
  return { kind: 'too deep', problem, ...placeOf(text, deep) }
}

/** The offset of the first value that is nested too deeply. Skips strings; the text need not be valid JSON. */
function tooDeepAt(text: string): number | undefined {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = endOfString(text, at)
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_JSON_DEPTH) return at
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return undefined
}

/** The offset of the quote that closes the string at `start`, or of the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1
  return at
}

const SPACE = /[ \t\n\r]*/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|true(?!\w)|false(?!\w)|null(?!\w)/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

type Expected =
  | 'a value'
  | 'a value or "]"'
  | 'a key'
  | 'a key or "}"'
  | '":"'
  | '"," or "}"'
  | '"," or "]"'
  | 'the end'

interface SyntaxProblem {
  at: number
  expected: string
}

/** The first syntax error in a text that `JSON.parse` rejects. Scans without recursion. */
function syntaxProblem(text: string): SyntaxProblem {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'a value'
  let at = 0
  const afterValue = (): Expected => {
    const inner = open.at(-1)
    return inner === undefined ? 'the end' : inner === '{' ? '"," or "}"' : '"," or "]"'
  }
  for (;;) {
    at = matchEnd(SPACE, text, at) ?? at
    const next: string | undefined = text[at]
    const mayBeValue = expected === 'a value' || expected === 'a value or "]"'
    const mayBeKey: boolean = expected === 'a key' || expected === 'a key or "}"'
    if (next === '"' && (mayBeValue || mayBeKey)) {
      const end = readString(text, at)
      if (typeof end !== 'number') return end
      at = end
      expected = mayBeKey ? '":"' : afterValue()
    } else if ((next === '{' || next === '[') && mayBeValue) {
      open.push(next)
      at++
      expected = next === '{' ? 'a key or "}"' : 'a value or "]"'
    } else if ((next === '}' && expected.endsWith('"}"')) || (next === ']' && expected.endsWith('"]"'))) {
      open.pop()
      at++
      expected = afterValue()
    } else if (next === ',' && expected.startsWith('","')) {
      at++
      expected = open.at(-1) === '{' ? 'a key' : 'a value'
    } else if (next === ':' && expected === '":"') {
      at++
      expected = 'a value'
    } else {
      const end = mayBeValue ? matchEnd(SCALAR, text, at) : undefined
      if (end === undefined) return { at, expected: expected === 'a key' ? 'a key in double quotes' : expected }
      at = end
      expected = afterValue()
    }
  }
}

/** The offset after a string, or the syntax error in it. */
function readString(text: string, start: number): number | SyntaxProblem {
  let at = start + 1
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at + 1
    if (Number.isNaN(code)) return { at, expected: "the string's closing quote" }
    if (code < 0x20) return { at, expected: "the string's closing quote, or this character escaped" }
    if (code !== 0x5c) at++
    else {
      const end = matchEnd(ESCAPE, text, at)
      if (end === undefined) return { at, expected: 'a valid JSON escape' }
      at = end
    }
  }
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at)
  if (code === undefined) return 'the end of the text'
  const printable = code >= 0x20 && code < 0x7f
  return printable
    ? JSON.stringify(String.fromCodePoint(code))
    : `the character U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

function placeOf(text: string, at: number): { line: number; column: number } {
  const start = text.lastIndexOf('\n', at - 1) + 1
  let line = 1
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) line++
  return { line, column: at === 0 ? 1 : at - start + 1 }
}
