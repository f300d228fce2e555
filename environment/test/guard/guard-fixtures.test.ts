import fc from 'fast-check'
import { guardFixtures } from '../../src/guard/guard-fixtures.ts'
import { faultsOf, pinning, scenario, tree } from './fixtures.ts'

const path = fc.constantFrom(
  'input.json',
  'session.jsonl',
  'session.1.jsonl',
  'stdout.golden.jsonl',
  'replay.override.json',
  'system-prompt.golden.md',
  'tool-schemas.golden.json',
  'workspace/a',
  'x',
)
const json = fc.json().map((text) => `${text}\n`)
const content = fc.oneof(fc.string({ unit: 'binary' }), json, fc.uint8Array())
const files = fc.dictionary(path, content)
const options = fc.record(
  { run: fc.constantFrom('replay', 'update', 'refresh', 'record'), complete: fc.boolean() } as const,
  { requiredKeys: [] },
)

test('the guard does not throw, whatever a file holds', () => {
  fc.assert(
    fc.property(files, options, (some, how) => {
      for (const fault of faultsOf(some, how)) expect(fault).not.toBe('')
    }),
  )
})

test('the faults do not depend on the order in which the fixtures are read', () => {
  const scenarios = [
    scenario('a', { x: '', y: '' }),
    pinning('b', { 'session.jsonl': '' }),
    pinning('c'),
    scenario('d'),
  ]
  const expected = guardFixtures(tree(...scenarios), { complete: true })
  expect(expected.length).toBeGreaterThan(3)
  fc.assert(
    fc.property(fc.shuffledSubarray(scenarios, { minLength: scenarios.length }), (shuffled) => {
      const reversed = shuffled.map(({ name, files }) => ({ name, files: new Map([...files].reverse()) }))
      expect(guardFixtures(tree(...reversed), { complete: true })).toEqual(expected)
    }),
  )
})
