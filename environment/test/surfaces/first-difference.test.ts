import fc from 'fast-check'
import { firstDifference } from '../../src/surfaces/first-difference.ts'

/** Two texts of JSON lines, each value on a line of its own. */
function compare(expected: unknown[], got: unknown[]) {
  const print = (values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
  return firstDifference(print(expected), print(got))
}

test('names the line and the field that differ first, and counts the lines that differ', () => {
  const update = (text: string) => ({ params: { update: { content: [{ text: 'same' }, { text }] } } })
  expect(compare([{ id: 1 }, update('a'), { id: 2 }, 3], [{ id: 1 }, update('b'), { id: 2 }, 4])).toEqual({
    line: 1,
    path: 'params.update.content.1.text',
    expected: 'a',
    got: 'b',
    differing: 2,
  })
})

test.each<[string, unknown, unknown, object]>([
  ['an extra field', { a: 1 }, { a: 1, b: 2 }, { path: 'b', expected: undefined, got: 2 }],
  ['a field that is missing', { a: 1, b: 2 }, { a: 1 }, { path: 'b', expected: 2, got: undefined }],
  ['an array and an object', { a: [] }, { a: {} }, { path: 'a', expected: [], got: {} }],
  ['null and an object', { a: null }, { a: {} }, { path: 'a', expected: null, got: {} }],
  ['values of two types', 1, '1', { path: '', expected: 1, got: '1' }],
  [
    'the order of keys',
    { a: 1, b: 2 },
    { b: 2, a: 1 },
    { path: '(order of keys)', expected: ['a', 'b'], got: ['b', 'a'] },
  ],
  [
    'the order of keys, deep inside',
    { p: [{ a: 1, b: 2 }] },
    { p: [{ b: 2, a: 1 }] },
    { path: 'p.0.(order of keys)', expected: ['a', 'b'], got: ['b', 'a'] },
  ],
])('%s', (_, expected, got, difference) => {
  expect(compare([expected], [got])).toMatchObject({ line: 0, differing: 1, ...difference })
})

test('an extra or a missing line is compared with nothing', () => {
  expect(compare([1], [1, 2])).toEqual({ line: 1, path: '', expected: undefined, got: 2, differing: 1 })
  expect(compare([1, 2, 3], [1])).toEqual({ line: 1, path: '', expected: 2, got: undefined, differing: 2 })
})

test('a line that is not JSON is compared as text', () => {
  expect(firstDifference('{"a":1}\n', '{"a":\n')).toMatchObject({ path: '', expected: { a: 1 }, got: '{"a":' })
})

test('if two lines have the same value, the difference shows the lines', () => {
  expect(firstDifference('{"a":1}\n', '{ "a": 1.0 }\n')).toMatchObject({
    path: '',
    expected: '{"a":1}',
    got: '{ "a": 1.0 }',
  })
})

test('a missing line feed at the end is a difference', () => {
  expect(firstDifference('1\n2\n', '1\n2')).toEqual({
    line: 1,
    path: '(line end)',
    expected: '\n',
    got: '',
    differing: 1,
  })
})

describe('laws', () => {
  const line = fc.oneof(
    fc.json({ maxDepth: 3 }),
    fc.constantFrom('', '{', '{"a":1}', '{"a": 1}', '{"b":1,"a":1}', '{"a":1,"b":1}', '\n'),
    fc.string(),
  )
  const text = fc
    .tuple(fc.array(line, { maxLength: 4 }), fc.constantFrom('', '\n'))
    .map(([lines, end]) => lines.join('\n') + end)

  test('there is a difference exactly when the texts are not equal', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(firstDifference(a, a)).toBeUndefined()
        expect(firstDifference(a, b) === undefined).toBe(a === b)
      }),
    )
  })

  test('the two sides of a difference are never equal', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const difference = firstDifference(a, b)
        if (difference) expect(JSON.stringify(difference.expected)).not.toBe(JSON.stringify(difference.got))
      }),
    )
  })
})
