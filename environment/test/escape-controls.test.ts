import { escapeControls, escapeLine } from '../src/escape-controls.ts'

test.each([
  ['a title that the terminal would set', '\u001b]0;gotcha\u0007', '\\u001b]0;gotcha\\u0007'],
  ['a carriage return', 'one\rtwo', 'one\\u000dtwo'],
  ['a C1 control', '\u009b31m', '\\u009b31m'],
  ['an override of the direction', 'a\u202eb', 'a\\u202eb'],
  ['a line separator', 'a\u2028b', 'a\\u2028b'],
  ['half of a pair', 'a\ud83db', 'a\\ud83db'],
  ['a byte order mark', '\ufeffa', '\\ufeffa'],
  ['line feeds, tabs and letters of any script stay', 'a\n\tü 漢 👩‍💻', 'a\n\tü 漢 👩‍💻'],
])('%s', (_, text, shown) => {
  expect(escapeControls(text)).toBe(shown)
  expect(escapeControls(shown)).toBe(shown)
})

test('in one line, line feeds and tabs are shown too', () => {
  expect(escapeLine('a\n\tü 漢 👩‍💻\u001b')).toBe('a\\u000a\\u0009ü 漢 👩‍💻\\u001b')
})
