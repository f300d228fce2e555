import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordEnv } from '../../src/record/variables.ts'

describe('the environment of a recording', () => {
  let dir: string
  let envFile: string

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'record-env-'))
    envFile = join(dir, '.env')
    writeFileSync(envFile, 'KEY=of-file\nURL="http://file"\nOTHER=secret\nEMPTY=\n')
  })

  afterEach(() => rmSync(dir, { recursive: true }))

  test('holds only the variables that it requires and passes', () => {
    const host = { KEY: 'of-host', PATH: '/bin', OTHER: 'x' }
    expect(recordEnv({ envFile, requires: ['KEY'], passes: ['URL', 'UNSET', 'EMPTY'] }, host)).toEqual({
      KEY: 'of-host',
      URL: 'http://file',
    })
  })

  test('comes from the file if a variable of the host is missing or empty', () => {
    expect(recordEnv({ envFile, requires: ['KEY'], passes: [] }, { KEY: '' })).toEqual({ KEY: 'of-file' })
  })

  test('lacks required variables: the error names all of them', () => {
    const variables = { envFile, requires: ['A', 'KEY', 'EMPTY'], passes: ['B'] }
    const message = `RECORD=1 needs A, EMPTY, set in the environment or in ${envFile}`
    expect(() => recordEnv(variables, {})).toThrow(new Error(message))
  })

  test('does not need an env file', () => {
    const missing = { envFile: join(dir, 'none'), requires: ['A'], passes: [] }
    expect(recordEnv(missing, { A: 'a' })).toEqual({ A: 'a' })
    const none = { requires: ['A'], passes: [] }
    expect(() => recordEnv(none, {})).toThrow(new Error('RECORD=1 needs A, set in the environment'))
  })
})
