import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordEnv } from '../../src/record/variables.ts'

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
