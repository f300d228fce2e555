import { escapeControls, escapeLine } from '../src/escape-controls.ts'

test.each([
  ['an escape sequence that sets the terminal title is escaped', '\u001b]0;gotcha\u0007', '\\u001b]0;gotcha\\u0007'],
  ['a carriage return is escaped', 'one\rtwo', 'one\\u000dtwo'],
  ['a C1 control is escaped', '\u009b31m', '\\u009b31m'],
  ['a bidirectional override is escaped', 'a\u202eb', 'a\\u202eb'],
  ['a line separator is escaped', 'a\u2028b', 'a\\u2028b'],
  ['a lone surrogate is escaped', 'a\ud83db', 'a\\ud83db'],
  ['a byte order mark is escaped', '\ufeffa', '\\ufeffa'],
  ['line feeds, tabs and letters of any script are kept', 'a\n\tü 漢 👩‍💻', 'a\n\tü 漢 👩‍💻'],
])('%s', (_, text, shown) => {
  expect(escapeControls(text)).toBe(shown)
  expect(escapeControls(shown)).toBe(shown)
})

test('escapeLine also escapes line feeds and tabs', () => {
  expect(escapeLine('a\n\tü 漢 👩‍💻\u001b')).toBe('a\\u000a\\u0009ü 漢 👩‍💻\\u001b')
})
