import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Action, actionFor, askedAction } from '../src/action.cjs'
import { HEADER, input, log } from './guard/fixtures.ts'

const BY_HAND = { ci: false, watch: false, watchAll: false, updateSnapshot: 'new' } as const

test.each<[NodeJS.ProcessEnv, Action]>([
  [{}, 'verify'],
  [{ RECORD: '1' }, 'record'],
  [{ RECORD: 'true' }, 'record'],
  [{ REFRESH: '1' }, 'refresh'],
  [{ RECORD: '0', REFRESH: '' }, 'verify'],
  [{ RECORD: '', REFRESH: '1' }, 'refresh'],
])('%j selects the action %s', (env, action) => {
  expect(askedAction(env, BY_HAND)).toEqual({ action })
})

test.each<[NodeJS.ProcessEnv, Action]>([
  [{}, 'update'],
  [{ RECORD: '1' }, 'record'],
  [{ REFRESH: '1' }, 'refresh'],
])('%j with -u selects the action %s', (env, action) => {
  expect(askedAction(env, { ...BY_HAND, updateSnapshot: 'all' })).toEqual({ action })
})

test('verify is never refused', () => {
  const config = { ci: true, watch: true, watchAll: true, updateSnapshot: 'none' } as const
  expect(askedAction({}, config)).toEqual({ action: 'verify' })
})

test.each<[NodeJS.ProcessEnv, Partial<Record<keyof typeof BY_HAND, boolean>>, string]>([
  [{ RECORD: '1', REFRESH: '1' }, {}, 'RECORD=1 and REFRESH=1 cannot be combined; set only one'],
  [
    { RECORD: '1' },
    { ci: true },
    'RECORD=1 is refused under --ci (or CI=true): it rewrites fixtures. Run it by hand, and commit',
  ],
  [
    { REFRESH: '1' },
    { ci: true },
    'REFRESH=1 is refused under --ci (or CI=true): it rewrites fixtures. Run it by hand, and commit',
  ],
  [{ RECORD: '1' }, { watch: true }, 'RECORD=1 is refused under watch: what it writes would start the next run'],
  [{ REFRESH: '1' }, { watchAll: true }, 'REFRESH=1 is refused under watch: what it writes would start the next run'],
])('%j under %j is refused in one line', (env, { ci = false, watch = false, watchAll = false }, problem) => {
  expect(askedAction(env, { ci, watch, watchAll, updateSnapshot: 'new' })).toEqual({ problem })
})

describe('under RECORD=1, the action for one scenario', () => {
  let dir: string

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'action-'))
  })
  afterEach(() => rmSync(dir, { recursive: true }))

  test.each<[string, Action, Record<string, string>]>([
    ['an override', 'verify', { 'input.json': input({ overridden: true }), 'session.jsonl': log() }],
    ['a recorded log', 'record', { 'input.json': input(), 'session.jsonl': log() }],
    ['no model call in its log', 'record', { 'input.json': input(), 'session.jsonl': HEADER }],
    ['no log yet', 'record', { 'input.json': input() }],
    ['a script that cannot be read', 'record', { 'input.json': '{' }],
    ['a script that is not an object', 'record', { 'input.json': 'null' }],
    ['no file at all', 'record', {}],
  ])('for a scenario with %s is %s', (_, action, files) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
    expect(actionFor('record', dir)).toBe(action)
    expect(actionFor('refresh', dir)).toBe('refresh')
  })

  // Reading a link to a device would never end, and reading a sparse file would take very long.
  test.each<[string, (file: string) => void]>([
    ['a FIFO', (file) => execFileSync('mkfifo', [file])],
    ['a link to an endless device', (file) => symlinkSync('/dev/zero', file)],
    ['a link to a file that blocks the reader', (file) => symlinkSync('/proc/kmsg', file)],
    ['a file of 3 GB', (file) => execFileSync('truncate', ['-s', '3G', file])],
    ['a directory', (file) => mkdirSync(file)],
  ])('is record, without waiting, if input.json is %s', (_, make) => {
    make(join(dir, 'input.json'))
    expect(actionFor('record', dir)).toBe('record')
  })
})
