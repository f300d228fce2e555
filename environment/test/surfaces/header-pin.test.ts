import { HEADER, input, pinning, print, scenario, tree } from '../guard/fixtures.ts'

test('two pins of one header class are a fault', () => {
  expect(print(tree(pinning('a'), pinning('b'), pinning('c', {}, { headerClass: 'other' })))).toEqual([
    '__fixtures__/a/input.json: "pinsHeader": true, and header class "default" is pinned by b too; only one scenario may pin a class',
    '__fixtures__/b/input.json: "pinsHeader": true, and header class "default" is pinned by a too; only one scenario may pin a class',
  ])
})

test('a class without a pin is a fault in a complete tree', () => {
  const other = { 'input.json': input({ headerClass: 'other' }) }
  const fixtures = tree(pinning('a'), scenario('b', other), scenario('c', other))
  expect(print(fixtures)).toEqual([])
  expect(print(fixtures, { complete: true })).toEqual([
    '__fixtures__/b/input.json: no scenario pins header class "other", which this scenario and 1 more would be compared with; ' +
      'set "pinsHeader": true in one of them, for example this one, and run: REFRESH=1 npx jest __fixtures__/b/',
  ])
})

test('a class that calls no model needs no pin', () => {
  expect(print(tree(scenario('a', { 'session.jsonl': HEADER })), { complete: true })).toEqual([])
})
