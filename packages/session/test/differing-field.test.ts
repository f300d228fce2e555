import { describeDifference, differingField } from '@acp-snapshot/session'
import fc from 'fast-check'

test.each<[unknown, unknown, string]>([
  [{ a: [{ b: 'x' }] }, { a: [{ b: 'y' }] }, 'a[0].b: expected "x", got "y"'],
  [{ a: [1, 2] }, { a: [1] }, 'a[1]: expected 2, got nothing'],
  [{ a: [] }, { a: [{}] }, 'a[0]: expected nothing, got {}'],
  [{ a: 1 }, { a: 1, b: 2 }, 'b: expected nothing, got 2'],
  [{ a: null }, { a: {} }, 'a: expected null, got {}'],
  [{ a: {} }, { a: [] }, 'a: expected {}, got []'],
  [{ a: 'x'.repeat(200) }, {}, `a: expected "${'x'.repeat(119)}…, got nothing`],
])('%j and %j differ: the first field is named', (expected, got, description) => {
  const field = differingField(expected, got)
  expect(field && describeDifference(field)).toBe(description)
})

test('a key with the value undefined counts as missing, and key order is ignored', () => {
  expect(differingField({ a: 1, b: undefined, c: 2 }, { c: 2, a: 1 })).toBeUndefined()
})

test('values differ exactly when their JSON differs, apart from key order', () => {
  const value = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)
  fc.assert(
    fc.property(value, value, (a, b) => {
      expect(differingField(a, JSON.parse(JSON.stringify(a)))).toBeUndefined()
      expect(differingField(a, b) === undefined).toBe(sorted(a) === sorted(b))
    }),
  )
})

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
}
