import fc from 'fast-check'
import { parseJsonText } from '../src/index.ts'

test.each([
  ['', 1, 1, 'not JSON: expected a value, got the end of the text'],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'not JSON: expected "," or "}", got "\\""'],
  ['{"a":1,}', 1, 8, 'not JSON: expected a key in double quotes, got "}"'],
  ['{a: 1}', 1, 2, 'not JSON: expected a key or "}", got "a"'],
  ['[1,]', 1, 4, 'not JSON: expected a value, got "]"'],
  ['[1}', 1, 3, 'not JSON: expected "," or "]", got "}"'],
  ['{"a" 1}', 1, 6, 'not JSON: expected ":", got "1"'],
  ['{} x', 1, 4, 'not JSON: expected the end, got "x"'],
  ['[01]', 1, 2, 'not JSON: expected a value or "]", got "0"'],
  ['["a', 1, 4, "not JSON: expected the string's closing quote, got the end of the text"],
  [
    '["\n"]',
    1,
    3,
    "not JSON: expected the string's closing quote, or this character escaped, got the character U+000A",
  ],
  ['["\\x"]', 1, 3, 'not JSON: expected a valid JSON escape, got "\\\\"'],
  ['\u001b[31m', 1, 1, 'not JSON: expected a value, got the character U+001B'],
])('says where %j is not JSON, and quotes one character', (text, line, column, problem) => {
  expect(parseJsonText(text)).toEqual({ kind: 'not JSON', line, column, problem })
})

test.each([
  ['arrays', '[', ']'],
  ['objects', '{"a":', '}'],
])('refuses %s that are nested too deeply, however deep', (_, open, close) => {
  const nested = (depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`
  expect(parseJsonText(nested(100))).toHaveProperty('value')
  for (const depth of [101, 1_000_000]) {
    expect(parseJsonText(nested(depth))).toMatchObject({
      line: 1,
      problem: expect.stringContaining('nested too deeply'),
    })
  }
})

test('brackets in strings do not count as nesting', () => {
  const text = JSON.stringify({ [`"${'['.repeat(200)}`]: `\\"${'{'.repeat(200)}` })
  expect(parseJsonText(text)).toEqual({ value: JSON.parse(text) })
})

test('accepts exactly what JSON.parse accepts, and otherwise reports a position inside the text', () => {
  const almost = fc
    .tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', '"', '\\', ',', ':', '[', '}', '0', '-', 'e', 't', '\n', 'é', '\u0000'),
    )
    .map(
      ([text, at, piece]) => text.slice(0, at % (text.length + 1)) + piece + text.slice((at % (text.length + 1)) + 1),
    )
  fc.assert(
    fc.property(fc.oneof(almost, fc.string()), (text) => {
      const read = parseJsonText(text)
      let value: unknown
      try {
        value = JSON.parse(text)
      } catch {
        if (!('problem' in read)) throw new Error('read what JSON.parse refuses')
        const lines = text.split('\n')
        expect(read.line).toBeLessThanOrEqual(lines.length)
        expect(read.column).toBeLessThanOrEqual((lines[read.line - 1]?.length ?? 0) + 1)
        return
      }
      expect(read).toEqual({ value })
    }),
    { numRuns: 2000 },
  )
})

test('scans a long text in linear time', () => {
  const text = `[${'"\\n",'.repeat(1_000_000)}]`
  expect(parseJsonText(text)).toMatchObject({ line: 1, column: text.length })
})
