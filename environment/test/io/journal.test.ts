import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import * as fc from 'fast-check'
import { commit, readyName, recover } from '../../src/io/journal.cjs'

const PREFIX = '.staging-'
const JOURNAL = JSON.stringify({ directory: 'x', files: [{ name: 'a', removed: false }] })

let root: string
let dir: string
let ready: string

beforeEach(() => {
  root = fs.mkdtempSync(join(tmpdir(), 'journal-test-'))
  dir = join(root, 'x')
  fs.mkdirSync(dir)
  fs.writeFileSync(join(dir, 'a'), 'old')
  ready = join(root, readyName(dir, PREFIX))
})

afterEach(() => fs.rmSync(root, { recursive: true, force: true }))

/** As if a process had been killed right after it committed. */
function commitOnly(journal = JOURNAL): string {
  const inner = join(ready, 'one')
  fs.mkdirSync(inner, { recursive: true })
  fs.writeFileSync(join(inner, '0'), 'new')
  fs.writeFileSync(join(inner, 'journal.json'), journal)
  return inner
}

const read = () => fs.readFileSync(join(dir, 'a'), 'utf8')
const problems = () => [...recover(root, PREFIX).values()]

test('finishes a committed journal, and removes an uncommitted one', () => {
  commitOnly()
  const abandoned = join(root, `${PREFIX}0123456789abcdef-01234567-${2 ** 22 + 1}-0123456789ab`)
  fs.mkdirSync(abandoned)
  fs.utimesSync(abandoned, 0, 0)
  expect(problems()).toEqual([])
  expect(read()).toBe('new')
  expect(fs.readdirSync(root)).toEqual(['x'])
})

test.each<[string, (inner: string) => void, RegExp]>([
  ['a journal that is a FIFO', (inner) => replace(inner, (file) => execFileSync('mkfifo', [file])), /not a regular/],
  [
    'a journal that is a device',
    (inner) => replace(inner, (file) => fs.symlinkSync('/dev/zero', file)),
    /not a regular/,
  ],
  ['a journal of 3 GB', (inner) => fs.truncateSync(join(inner, 'journal.json'), 3 * 1024 ** 3), /too long/],
  ['no journal', (inner) => fs.rmSync(join(inner, 'journal.json')), /is damaged$/],
  ['a file instead of the journal', (inner) => beFile(inner), /ENOTDIR/],
  ['a file instead of the staging directory', () => beFile(ready), /ENOTDIR/],
])('%s is reported by name, changes nothing and does not block', (_, make, problem) => {
  make(commitOnly())
  expect(problems()).toEqual([expect.stringMatching(problem)])
  expect(() => commit(dir, [['a', 'newer']], PREFIX)).toThrow(problem)
  expect(read()).toBe('old')
  expect(fs.readdirSync(root).sort()).toEqual([readyName(dir, PREFIX), 'x'])
})

test('a journal does not write through a link that replaced its scenario', () => {
  commitOnly()
  const elsewhere = join(root, 'elsewhere')
  fs.renameSync(dir, elsewhere)
  fs.symlinkSync(elsewhere, dir)
  expect(problems()).toEqual([`${dir} is a symbolic link`])
  expect(fs.readFileSync(join(elsewhere, 'a'), 'utf8')).toBe('old')
})

test.each([
  ['directory', { directory: 'x/../elsewhere', files: [{ name: 'a', removed: false }] }],
  ['file', { directory: 'x', files: [{ name: '../elsewhere/a', removed: false }] }],
])('a journal that names a %s elsewhere is damaged, and writes nothing there', (_, journal) => {
  const elsewhere = join(root, 'elsewhere')
  fs.mkdirSync(elsewhere)
  commitOnly(JSON.stringify(journal))
  expect(problems()).toEqual([expect.stringMatching(/is damaged$/)])
  expect(fs.readdirSync(elsewhere)).toEqual([])
})

test('removes the journal of a removed scenario', () => {
  commitOnly()
  fs.rmSync(dir, { recursive: true })
  expect(problems()).toEqual([])
  expect(fs.readdirSync(root)).toEqual([])
})

describe('files in directories', () => {
  const files = () =>
    Object.fromEntries(
      fs
        .readdirSync(dir, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => [relative(dir, path), fs.readFileSync(path, 'utf8')]),
    )
  const directories = () =>
    fs.readdirSync(dir, { recursive: true, encoding: 'utf8' }).length - Object.keys(files()).length

  test('any set of files becomes any other, and no empty directory is left', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
      .map((names) => names.join('/'))
    const set = fc
      .dictionary(path, fc.string())
      .map((all) => Object.entries(all).filter(([name]) => !Object.keys(all).some((o) => o.startsWith(`${name}/`))))
    fc.assert(
      fc.property(set, set, (before, after) => {
        for (const wanted of [before, after]) {
          const gone = Object.keys(files()).filter((name) => !wanted.some(([kept]) => kept === name))
          commit(dir, [...gone.map((name) => [name, null] as const), ...wanted], PREFIX)
          expect(files()).toEqual(Object.fromEntries(wanted))
        }
        const parents = new Set(
          after.flatMap(([name]) => name.split('/').map((_, i, all) => all.slice(0, i).join('/'))),
        )
        expect(directories()).toBe([...parents].filter((parent) => parent !== '').length)
      }),
      { numRuns: 60 },
    )
  })

  test('a journal that was committed is finished by another process', () => {
    commitOnly(
      JSON.stringify({
        directory: 'x',
        files: [
          { name: 'a/deep/b', removed: false },
          { name: 'a', removed: true },
        ],
      }),
    )
    expect(problems()).toEqual([])
    expect(files()).toEqual({ 'a/deep/b': 'new' })
  })

  test.each(['../outside', 'b/../../outside', '/outside', 'b//c', 'b/'])(
    'a path that leads out is damage: %s',
    (name) => {
      commitOnly(JSON.stringify({ directory: 'x', files: [{ name, removed: false }] }))
      expect(problems()).toEqual([expect.stringMatching(/is damaged$/)])
      expect(fs.existsSync(join(root, 'outside'))).toBe(false)
    },
  )

  test.each([false, true])('nothing is written or removed through a link (removed: %s)', (removed) => {
    const elsewhere = join(root, 'elsewhere')
    fs.mkdirSync(elsewhere)
    fs.writeFileSync(join(elsewhere, 'b'), 'of another')
    fs.symlinkSync(elsewhere, join(dir, 'link'))
    commitOnly(JSON.stringify({ directory: 'x', files: [{ name: 'link/b', removed }] }))
    expect(problems()).toEqual([`${join(dir, 'link')} is a symbolic link`])
    expect(fs.readFileSync(join(elsewhere, 'b'), 'utf8')).toBe('of another')
  })

  test('what is in the way is found before anything changes', () => {
    fs.mkdirSync(join(dir, 'd'))
    fs.writeFileSync(join(dir, 'd', 'kept'), '')
    expect(() =>
      commit(
        dir,
        [
          ['a', 'new'],
          ['d', 'x'],
        ],
        PREFIX,
      ),
    ).toThrow(/EISDIR/)
    expect(() =>
      commit(
        dir,
        [
          ['b', 'new'],
          ['a/b', 'x'],
        ],
        PREFIX,
      ),
    ).toThrow(/ENOTDIR/)
    expect(files()).toEqual({ a: 'old', 'd/kept': '' })
  })
})

function replace(inner: string, make: (file: string) => void): void {
  fs.rmSync(join(inner, 'journal.json'))
  make(join(inner, 'journal.json'))
}

function beFile(path: string): void {
  fs.rmSync(path, { recursive: true })
  fs.writeFileSync(path, '')
}
