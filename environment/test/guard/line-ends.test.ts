import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { guardFixtures } from '../../src/guard/guard-fixtures.ts'
import { readFixtureTree } from '../../src/scenario/read-files.ts'

const ROOT = join(__dirname, '..', '..', '..')

let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'line-ends-'))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

test('a checkout with core.autocrlf keeps the bytes of fixtures and sources', () => {
  const clone = cloneWithCrlf({ attributes: true })
  expect(faultsIn(clone)).toEqual([])
  expect(readFileSync(join(clone, 'source.ts'), 'utf8')).toBe('one\ntwo\n')
  expect(readFileSync(join(clone, '__fixtures__/handshake/workspace/dos.txt'), 'utf8')).toBe('one\r\ntwo\r\n')
})

test('without .gitattributes, the guard names the files with CRLF and how to fix them', () => {
  const faults = faultsIn(cloneWithCrlf({ attributes: false }))
  expect(faults).toContainEqual(
    expect.stringMatching(/^__fixtures__\/handshake\/stdout\.golden\.jsonl: has a CRLF line end.*\.gitattributes/),
  )
})

/** Clones a small project with core.autocrlf, as Git for Windows does. `attributes` adds our `.gitattributes`. */
function cloneWithCrlf({ attributes }: { attributes: boolean }): string {
  const [origin, clone] = [join(base, 'origin'), join(base, 'clone')]
  const scenario = join(origin, '__fixtures__', 'handshake')
  cpSync(join(ROOT, '__fixtures__', 'handshake'), scenario, { recursive: true })
  mkdirSync(join(scenario, 'workspace'))
  writeFileSync(join(scenario, 'workspace', 'dos.txt'), 'one\r\ntwo\r\n')
  writeFileSync(join(origin, 'source.ts'), 'one\ntwo\n')
  if (attributes) cpSync(join(ROOT, '.gitattributes'), join(origin, '.gitattributes'))
  git(origin, 'init', '-q')
  git(origin, 'add', '-A')
  git(origin, 'commit', '-q', '-m', 'Add a scenario')
  git(base, 'clone', '-q', '-c', 'core.autocrlf=true', origin, clone)
  return clone
}

function git(cwd: string, ...args: string[]): void {
  const person = ['-c', 'user.name=me', '-c', 'user.email=me@example.com', '-c', 'core.autocrlf=false']
  const env = { PATH: process.env.PATH, HOME: base, GIT_CONFIG_NOSYSTEM: '1' }
  const all = args[0] === 'clone' ? args : [...person, ...args]
  execFileSync('git', all, { cwd, env, stdio: 'pipe' })
}

function faultsIn(clone: string): string[] {
  const tree = readFixtureTree(join(clone, '__fixtures__'), clone)
  return guardFixtures(tree, {}).map(({ file, message }) => `${file}: ${message}`)
}
