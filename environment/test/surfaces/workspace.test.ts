import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { jestCommand } from '../../src/command/hint.ts'
import { noLogs } from '../../src/logs/none.ts'
import type { FinishedRun } from '../../src/run/finished-run.ts'
import { parseInput } from '../../src/scenario/input/parse-input.ts'
import type { FileContent } from '../../src/scenario/tree.ts'
import { describeMismatch } from '../../src/surfaces/describe-mismatch.ts'
import { workspace } from '../../src/surfaces/workspace.ts'
import { faultsOf, input } from '../guard/fixtures.ts'
import { orders, Project } from '../matchers/project.ts'

let cwd: string

beforeEach(() => {
  cwd = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'workspace-test-')))
})
afterEach(() => fs.rmSync(cwd, { recursive: true }))

function write(path: string, content: string | Uint8Array = ''): void {
  fs.mkdirSync(dirname(join(cwd, path)), { recursive: true })
  fs.writeFileSync(join(cwd, path), content)
}

function finished(more: object = { pinsWorkspace: true }): FinishedRun {
  const volatile = { paths: { cwd: [cwd] }, sessionIds: ['session-a1'] }
  return {
    scenario: {
      name: 'x',
      dir: '/x',
      input: parseInput(input(more), 'input.json'),
      files: new Map(),
      isRecorded: false,
      command: jestCommand(),
    },
    transcript: { kind: 'acp-transcript', frames: [], volatile },
    frameSteps: [],
    logs: [],
    logFormat: noLogs,
    volatile,
    cwd,
    stderr: '',
    refused: [],
    withoutSecrets: (text) => text,
  }
}

const collect = (more?: object) => workspace.collect(finished(more))
const collected = () => Object.fromEntries(collect())

test('text is normalised, and other files stay as they are', () => {
  write('a.txt', `in ${cwd}/a, by session-a1\r\n`)
  write('deep/er/b.bin', Buffer.from([0xff, 0x00]))
  write('empty')
  expect(collected()).toEqual({
    'workspace.golden/a.txt': 'in {{cwd}}/a, by {{sessionId}}\r\n',
    'workspace.golden/deep/er/b.bin': Buffer.from([0xff, 0x00]),
    'workspace.golden/empty': '',
  })
})

test('a scenario that does not pin its workspace has no workspace golden', () => {
  write('a.txt')
  expect(collect({}).size).toBe(0)
})

test("empty directories and Git's files are omitted, and a link is represented by its target", () => {
  fs.mkdirSync(join(cwd, 'nothing'))
  write('.git/HEAD', 'ref: x')
  write('sub/.git', 'gitdir: elsewhere')
  fs.symlinkSync(join(cwd, 'sub'), join(cwd, 'link'))
  fs.symlinkSync('/dev/zero', join(cwd, 'endless'))
  expect(collected()).toEqual({
    'workspace.golden/endless': 'link to /dev/zero\n',
    'workspace.golden/link': 'link to {{cwd}}/sub\n',
  })
})

test('a name that Git or another system would reject or change is percent-encoded', () => {
  for (const name of ['.gitignore', '.GitAttributes', 'a:b?', '100%', 'end. ', 'sub/.gitmodules', 'sub/.github'])
    write(name)
  write('by-session-a1')
  expect(Object.keys(collected())).toEqual([
    'workspace.golden/%2EGitAttributes',
    'workspace.golden/%2Egitignore',
    'workspace.golden/100%25',
    'workspace.golden/a%3Ab%3F',
    'workspace.golden/by-{{sessionId}}',
    'workspace.golden/end.%20',
    'workspace.golden/sub/%2Egithub',
    'workspace.golden/sub/%2Egitmodules',
  ])
})

describe('a file that a golden cannot hold fails the scenario', () => {
  const EXPECTED = 'expected files in the working directory that a golden can hold\n  got      '

  test.each<[string, () => void, string]>([
    ['a FIFO', () => execFileSync('mkfifo', [join(cwd, 'f')]), 'f, which is a FIFO, not a regular file'],
    ['a huge file', () => execFileSync('truncate', ['-s', '3G', join(cwd, 'f')]), 'f, which is too long: '],
    [
      'too many files',
      () => Array.from({ length: 5001 }, (_, i) => write(`${i}`)),
      'more than 5000 files or 16777216 bytes',
    ],
    [
      'names that become one',
      () => ['session-a1', '{{sessionId}}'].map((name) => write(name)),
      'two files whose names differ only in',
    ],
    [
      'a name that is not UTF-8',
      () => fs.writeFileSync(Buffer.concat([Buffer.from(`${cwd}/`), Buffer.from([0xff])]), ''),
      'a file whose name is not UTF-8: \uFFFD',
    ],
    [
      'a path that is too long',
      () => {
        const nest = 'for (let i = 0; i < 20; i++) { fs.mkdirSync(process.argv[1]); process.chdir(process.argv[1]) }'
        execFileSync(process.execPath, ['-e', nest, 'd'.repeat(250)], { cwd })
      },
      'an entry that cannot be read: ENAMETOOLONG',
    ],
  ])('%s', (_, make, got) => {
    make()
    expect(() => collect()).toThrow(`${EXPECTED}${got}`)
    execFileSync('rm', ['-rf', cwd])
    fs.mkdirSync(cwd)
  })
})

test('collecting a collected workspace changes nothing', () => {
  const name = fc.stringMatching(/^[\w%.{}:-]{1,12}$/).filter((name) => !/^\.+$|^\.git$/.test(name))
  fc.assert(
    fc.property(fc.dictionary(name, fc.oneof(fc.string(), fc.uint8Array())), (files) => {
      fs.rmSync(cwd, { recursive: true })
      fs.mkdirSync(cwd)
      for (const [path, content] of Object.entries(files)) write(path, content)
      const once = collect()
      for (const [path, content] of once) write(`again/${path}`, content)
      const texts = [...once.values()].filter((content) => typeof content === 'string')
      const twice = [...collect()].filter(([path]) => path.startsWith('workspace.golden/again/'))
      expect(twice.map(([, content]) => content).filter((content) => typeof content === 'string')).toEqual(texts)
    }),
    { numRuns: 50 },
  )
})

describe('a difference names the first file that differs', () => {
  function message(expected: Record<string, FileContent>, got: Record<string, FileContent>): string | undefined {
    const { scenario } = finished()
    const files = (of: Record<string, FileContent>) =>
      new Map(Object.entries(of).map(([path, content]) => [`workspace.golden/${path}`, content]))
    const mismatch = workspace.compare(files(got), { scenario, expected: files(expected), printed: files(got) })
    return (
      mismatch && describeMismatch(mismatch, { scenario: 'x', stderr: 'oops', refused: [], diff: () => '- a\n+ b' })
    )
  }

  const END = 'stderr of the agent:\n  | oops\n\nIf this is wanted: REFRESH=1 npx jest /x/'

  test.each<[string, Record<string, FileContent>, Record<string, FileContent>, string]>([
    ['gone', { a: 'x' }, {}, 'the agent left no file workspace.golden/a, which the fixture has'],
    ['new', {}, { a: 'x' }, 'the agent left a file that the fixture does not have: workspace.golden/a'],
    [
      'bytes',
      { a: Buffer.from([255]) },
      { a: 'x' },
      'the workspace differs from workspace.golden/a, which is not text: expected 1 bytes, got 1',
    ],
    [
      'text',
      { a: 'same', b: '1\nold\n' },
      { a: 'same', b: '1\nnew\n' },
      'the workspace differs from workspace.golden/b\n  first at workspace.golden/b:2:\n    expected "old"\n    got      "new"\n  1 line differs in all\n\n- a\n+ b',
    ],
  ])('%s', (_, expected, got, headline) => {
    expect(message(expected, got)).toBe(`scenario x: ${headline}\n\n${END}`)
  })

  test('no file is named when all are equal', () => {
    expect(message({ a: 'x', b: Buffer.from([255]) }, { a: 'x', b: new Uint8Array([255]) })).toBeUndefined()
  })
})

test('the guard allows a pinned workspace with any bytes, and searches it for secrets and temp paths', () => {
  const files = { 'workspace.golden/a.txt': 'a\r\n', 'workspace.golden/b/c': new Uint8Array([255]) }
  expect(faultsOf(files)).toEqual(['workspace.golden: not allowed here: input.json does not say "pinsWorkspace": true'])
  const pinned = { ...files, 'input.json': input({ pinsWorkspace: true }) }
  expect(faultsOf(pinned)).toEqual([])
  expect(faultsOf({ ...pinned, 'workspace.golden/a.txt': '1\n/tmp/acp-0123456789ab/x\n' })).toEqual([
    expect.stringMatching(/^workspace\.golden\/a\.txt:2: holds a path into a temp directory/),
  ])
  expect(faultsOf({ ...pinned, 'workspace.golden/key': 'AKIA0123456789ABCDEF' })).toEqual([
    expect.stringMatching(/^workspace\.golden\/key:1: holds an AWS access key/),
  ])
})

test('in a run of Jest, REFRESH=1 writes the workspace and removes old files, and -u does not write it', () => {
  const script = (text: string) => JSON.stringify({ pinsWorkspace: true, ...JSON.parse(orders(text)) })
  const project = new Project({
    x: {
      'input.json': script('append made/a.txt two'),
      'workspace/kept': 'as it is\n',
      'workspace/made/a.txt': 'one\n',
    },
  })
  try {
    for (const args of [['-u'], ['--ci']]) {
      const { exitCode, output } = project.jest(args)
      expect([args, exitCode]).toEqual([args, 1])
      expect(output).toContain('the agent left a file that the fixture does not have: workspace.golden/kept')
    }
    expect(project.jest([], { REFRESH: '1' })).toMatchObject({ exitCode: 0 })
    expect(project.fixtures()).toMatchObject({
      'x/workspace.golden/kept': 'as it is\n',
      'x/workspace.golden/made/a.txt': 'one\ntwo\n',
    })
    expect(project.jest(['--ci'])).toMatchObject({ exitCode: 0 })
    // A file in the place of a directory.
    fs.rmSync(join(project.dir, '__fixtures__/x/workspace/made'), { recursive: true })
    project.write('__fixtures__/x/input.json', script('append made three'))
    expect(project.jest([], { REFRESH: '1' })).toMatchObject({ exitCode: 0 })
    expect(Object.keys(project.fixtures()).filter((path) => path.includes('.golden/'))).toEqual([
      'x/workspace.golden/kept',
      'x/workspace.golden/made',
    ])
  } finally {
    project.remove()
  }
})
