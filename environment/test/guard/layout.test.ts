import { KNOWN_FILES } from '../../src/guard/check-layout.ts'
import { answer, faultsOf, HEADER, input, log, pinning, print, scenario, tree } from './fixtures.ts'

const OVERRIDE = '[{ "kind": "hang" }]\n'

test('a valid scenario has no faults', () => {
  expect(faultsOf({})).toEqual([])
  expect(
    faultsOf({ 'session.1.jsonl': log(), 'workspace/a/b.txt': 'x', 'workspace/c': new Uint8Array([255]) }),
  ).toEqual([])
  expect(faultsOf({ 'input.json': input({ overridden: true }), 'replay.override.json': OVERRIDE })).toEqual([])
  expect(print(tree(pinning('x')), { complete: true })).toEqual([])
  expect(faultsOf({ 'session.jsonl': HEADER })).toEqual([])
})

test('a directory without input.json is a fault', () => {
  expect(faultsOf({ 'input.json': undefined })).toEqual([
    'input.json: is missing; each directory here is a scenario, and this file is its script',
  ])
})

test('a missing log is a fault', () => {
  expect(faultsOf({ 'session.jsonl': undefined })).toEqual([
    'session.jsonl: is missing; RECORD=1 npx jest __fixtures__/x/ writes it',
  ])
})

test('the fault for the missing log of an overridden scenario suggests REFRESH=1', () => {
  const files = {
    'input.json': input({ overridden: true }),
    'replay.override.json': OVERRIDE,
    'session.jsonl': undefined,
  }
  expect(faultsOf(files)).toEqual(['session.jsonl: is missing; REFRESH=1 npx jest __fixtures__/x/ writes it'])
})

test('a gap in the numbers of the logs is a fault', () => {
  expect(faultsOf({ 'session.3.jsonl': log() })).toEqual([
    'session.1.jsonl: is missing; session.3.jsonl is there, and logs are numbered without a gap',
    'session.2.jsonl: is missing; session.3.jsonl is there, and logs are numbered without a gap',
  ])
})

test('a missing golden is a fault only if the tree must be complete', () => {
  expect(faultsOf({ 'stdout.golden.jsonl': undefined })).toEqual([])
  expect(print(tree(pinning('x', { 'stdout.golden.jsonl': undefined })), { complete: true })).toEqual([
    '__fixtures__/x/stdout.golden.jsonl: is missing; npx jest __fixtures__/x/ writes it',
  ])
})

test('an override without its flag is a fault, and so is the flag without an override', () => {
  expect(faultsOf({ 'replay.override.json': OVERRIDE })).toEqual([
    'replay.override.json: not allowed here: input.json does not say "overridden": true',
  ])
  expect(faultsOf({ 'input.json': input({ overridden: true }) })).toEqual([
    'replay.override.json: is missing; input.json says "overridden": true, so the model script must be here',
  ])
})

test('pins without their flag are faults, and so is the flag without pins', () => {
  expect(faultsOf({ 'system-prompt.golden.md': 'x\n', 'tool-schemas.golden.json': '[]\n' })).toEqual([
    'system-prompt.golden.md: not allowed here: input.json does not say "pinsHeader": true',
    'tool-schemas.golden.json: not allowed here: input.json does not say "pinsHeader": true',
  ])
  expect(faultsOf({ 'input.json': input({ pinsHeader: true }) })).toEqual([
    'system-prompt.golden.md: is missing; input.json says "pinsHeader": true. REFRESH=1 npx jest __fixtures__/x/ writes it',
    'tool-schemas.golden.json: is missing; input.json says "pinsHeader": true. REFRESH=1 npx jest __fixtures__/x/ writes it',
  ])
})

test.each(['notes.txt', 'session.0.jsonl', 'session.01.jsonl', 'old/session.jsonl', 'workspace', 'Input.json'])(
  'a stray file is a fault: %s',
  (path) => {
    expect(faultsOf({ [path]: 'x' })).toEqual([`${path}: unknown file; a scenario has ${KNOWN_FILES}`])
  },
)

test('the list of known files begins with the files that people write', () => {
  expect(KNOWN_FILES).toMatch(
    /^input\.json, replay\.override\.json, workspace\/, home\/, stdout\.golden\.jsonl, session\.jsonl \(session\.1\.jsonl …\)/,
  )
})

test('a stray file beside the scenarios is a fault, unless it is README.md', () => {
  expect(print({ root: '__fixtures__', scenarios: [scenario('x')], loose: ['README.md', 'notes.md'] })).toEqual([
    '__fixtures__/notes.md: unknown file; only README.md and the directories of scenarios belong here',
  ])
})

test('faults of input.json are reported', () => {
  expect(faultsOf({ 'input.json': '{ "steps": [{ "op": "initialise" }] }' })).toEqual([
    'input.json: step 1: unknown op "initialise"; did you mean "initialize"?',
  ])
})

test('all faults of all scenarios are listed, sorted by file', () => {
  const fixtures = tree(scenario('b', { 'session.jsonl': undefined, 'a.txt': '' }), scenario('a', { 'z.txt': '' }))
  expect(print(fixtures).map((fault) => fault.split(': ')[0])).toEqual([
    '__fixtures__/a/z.txt',
    '__fixtures__/b/a.txt',
    '__fixtures__/b/session.jsonl',
  ])
})

describe('the guard', () => {
  const bad = { 'session.jsonl': 'torn', 'stdout.golden.jsonl': 'torn\n' }
  const LOG_FAULT = 'session.jsonl:1: the last line has no newline: it is torn'
  const GOLDEN_FAULT =
    'stdout.golden.jsonl:1:1: not JSON: expected a value, got "t"; each line of a transcript is one value'

  test('checks every file before a replay', () => expect(faultsOf(bad)).toEqual([LOG_FAULT, GOLDEN_FAULT]))
  test('does not check the golden before an update', () =>
    expect(faultsOf(bad, { action: 'update' })).toEqual([LOG_FAULT]))
  test('does not check the golden before a refresh', () =>
    expect(faultsOf(bad, { action: 'refresh' })).toEqual([LOG_FAULT]))
  test('checks no file that a recording rewrites', () => {
    expect(faultsOf(bad, { action: 'record' })).toEqual([])
    expect(
      faultsOf({ 'input.json': input({ pinsHeader: true }), 'session.jsonl': undefined }, { action: 'record' }),
    ).toEqual([])
    expect(faultsOf({ 'session.2.jsonl': log(), 'notes.txt': '' }, { action: 'record' })).toHaveLength(1)
  })
  test('does not check a log for values of one run before a refresh', () => {
    expect(
      faultsOf({ 'session.jsonl': log(answer('/tmp/x'), { system: 'You help.' }) }, { action: 'refresh' }),
    ).toEqual([])
  })
  test('does not require pins, nor the log of a new overridden scenario, before a refresh', () => {
    expect(faultsOf({ 'input.json': input({ pinsHeader: true }) }, { action: 'refresh' })).toEqual([])
    const files = {
      'input.json': input({ overridden: true }),
      'replay.override.json': OVERRIDE,
      'session.jsonl': undefined,
    }
    expect(faultsOf(files, { action: 'refresh' })).toEqual([])
  })
})
