import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Mode, readMode, recordEnv } from '../../src/record/mode.ts'

const BY_HAND = { ci: false, watch: false, watchAll: false }

test.each<[NodeJS.ProcessEnv, Mode]>([
  [{}, 'replay'],
  [{ RECORD: '1' }, 'record'],
  [{ RECORD: 'true' }, 'record'],
  [{ REFRESH: '1' }, 'refresh'],
  [{ RECORD: '0', REFRESH: '' }, 'replay'],
  [{ RECORD: '', REFRESH: '1' }, 'refresh'],
])('%j asks for %s', (env, mode) => {
  expect(readMode(env, BY_HAND)).toBe(mode)
})

test('a replay is never refused', () => {
  expect(readMode({}, { ci: true, watch: true, watchAll: true })).toBe('replay')
})

test.each<[NodeJS.ProcessEnv, Partial<typeof BY_HAND>, string]>([
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
])('%j under %j is refused, in one line', (env, config, message) => {
  expect(() => readMode(env, { ...BY_HAND, ...config })).toThrow(new Error(message))
})

describe('what a recording passes on', () => {
  let dir: string
  let envFile: string

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'record-env-'))
    envFile = join(dir, '.env')
    writeFileSync(envFile, 'KEY=of-file\nURL="http://file"\nOTHER=secret\nEMPTY=\n')
  })

  afterEach(() => rmSync(dir, { recursive: true }))

  test('is what it requires and what it may pass, and nothing else', () => {
    const host = { KEY: 'of-host', PATH: '/bin', OTHER: 'x' }
    expect(recordEnv({ envFile, requires: ['KEY'], passes: ['URL', 'UNSET', 'EMPTY'] }, host)).toEqual({
      KEY: 'of-host',
      URL: 'http://file',
    })
  })

  test('comes from the file where the host has nothing, and an empty variable is nothing', () => {
    expect(recordEnv({ envFile, requires: ['KEY'], passes: [] }, { KEY: '' })).toEqual({ KEY: 'of-file' })
  })

  test('is named when it is missing, all of it at once', () => {
    const variables = { envFile, requires: ['A', 'KEY', 'EMPTY'], passes: ['B'] }
    const message = `RECORD=1 needs A, EMPTY, set in the environment or in ${envFile}`
    expect(() => recordEnv(variables, {})).toThrow(new Error(message))
  })

  test('needs no file', () => {
    const missing = { envFile: join(dir, 'none'), requires: ['A'], passes: [] }
    expect(recordEnv(missing, { A: 'a' })).toEqual({ A: 'a' })
    const none = { requires: ['A'], passes: [] }
    expect(() => recordEnv(none, {})).toThrow(new Error('RECORD=1 needs A, set in the environment'))
  })
})
