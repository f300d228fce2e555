import { execFileSync, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { guardFixtures } from '../../src/guard/guard-fixtures.ts'
import { canBeParsed, readScenario } from '../../src/guard/read-scenario.ts'
import { FixtureError } from '../../src/scenario/fault.ts'
import { readFixtureTree } from '../../src/scenario/read-files.ts'
import { type Files, input, line, log, pinning } from './fixtures.ts'

/** A fixtures directory with something that Git would not check out, or that nobody would write. */
let root: string
let dir: string

beforeEach(() => {
  root = fs.mkdtempSync(join(tmpdir(), 'fixtures-'))
  dir = write('x')
})
afterEach(() => fs.rmSync(root, { recursive: true }))

function write(name: string, files: Files = {}): string {
  for (const [path, content] of pinning(name, files).files) {
    fs.mkdirSync(dirname(join(root, name, path)), { recursive: true })
    fs.writeFileSync(join(root, name, path), content)
  }
  return join(root, name)
}

function faults(): string[] {
  return guardFixtures(readFixtureTree(root, root), { complete: true }).map(({ file, line, column, message }) =>
    `${[file, line, column].filter((part) => part !== undefined).join(':')}: ${message}`.replace('./', ''),
  )
}

const fifo = (path: string) => void execFileSync('mkfifo', [path])
const sparse = (path: string) => {
  fs.writeFileSync(path, '')
  fs.truncateSync(path, 3 * 1024 ** 3)
}
const elsewhere = (path: string) => fs.symlinkSync('/etc/passwd', path)
const LINK = 'is a symbolic link; a write would replace it: make it a regular file'
const INPUT_LINK = 'is a symbolic link; Jest does not follow links, so the scenario never runs: make it a regular file'

const FILES = [
  'input.json',
  'session.jsonl',
  'stdout.golden.jsonl',
  'system-prompt.golden.md',
  'tool-schemas.golden.json',
]

describe.each<[string, (path: string) => void, string]>([
  ['a FIFO', fifo, 'is a FIFO, not a regular file'],
  ['a directory', (path) => fs.mkdirSync(path), 'is a directory, not a regular file'],
  ['a link to a directory', (path) => fs.symlinkSync(tmpdir(), path), LINK],
  ['a link out of the fixture', elsewhere, LINK],
  ['a link to itself', (path) => fs.symlinkSync(path, path), LINK],
  ['a dangling link', (path) => fs.symlinkSync('gone', path), LINK],
  ['a sparse file of 3 GB', sparse, 'is too long: it has 3221225472 bytes, and at most 67108864 bytes are read'],
])('%s instead of a file', (_, make, problem) => {
  test.each(FILES)('is one fault, and hides no other fault: %s', (name) => {
    fs.writeFileSync(join(dir, 'stray.txt'), '')
    fs.rmSync(join(dir, name))
    make(join(dir, name))
    const found = faults()
    expect(found.filter((fault) => fault.startsWith('x/stray.txt'))).toHaveLength(1)
    const expected = name === 'input.json' && problem === LINK ? INPUT_LINK : problem
    expect(found.filter((fault) => fault.startsWith(`x/${name}: `))).toEqual([expect.stringMatching(expected)])
    expect(() => readScenario(dir)).toThrow(FixtureError)
  })
})

test('a socket instead of a golden is a fault', async () => {
  fs.rmSync(join(dir, 'stdout.golden.jsonl'))
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(join(dir, 'stdout.golden.jsonl'), resolve))
  expect(faults()).toEqual(['x/stdout.golden.jsonl: is a socket, not a regular file'])
  await new Promise((resolve) => server.close(resolve))
})

test.each(['', '\n', '\n\n'])('an empty golden is a fault, unless it is rewritten: %j', (text) => {
  fs.writeFileSync(join(dir, 'stdout.golden.jsonl'), text)
  expect(faults()[0]).toMatch(/^x\/stdout\.golden\.jsonl(: is empty; |:1:1: not JSON)/)
  expect(() => readScenario(dir, { action: 'update' })).not.toThrow()
})

test('a fixtures directory or a scenario that is a link is a fault', () => {
  const outer = fs.mkdtempSync(join(tmpdir(), 'links-'))
  fs.symlinkSync(root, join(outer, '__fixtures__'))
  fs.symlinkSync(dir, join(root, 'y'))
  const found = guardFixtures(readFixtureTree(join(outer, '__fixtures__'), outer), { complete: true })
  expect(found.map(({ file }) => file)).toEqual(['__fixtures__', '__fixtures__/y'])
  for (const { message } of found) expect(message).toContain('Jest does not follow links')
  fs.rmSync(outer, { recursive: true })
})

test('links in the workspace may form a loop, and a link beside the scenarios is a fault', () => {
  fs.mkdirSync(join(dir, 'workspace'))
  fs.symlinkSync('..', join(dir, 'workspace', 'up'))
  fs.symlinkSync('loop', join(dir, 'workspace', 'loop'))
  fs.symlinkSync('.', join(root, 'here'))
  expect(faults()).toEqual([expect.stringMatching(/^here: is a symbolic link; Jest does not follow links/)])
})

test('a link in the workspace is not followed, but its target path is searched for secrets', () => {
  const outside = join(root, 'README.md')
  fs.writeFileSync(outside, 'AKIA0123456789ABCDEF\n')
  fs.mkdirSync(join(dir, 'workspace'))
  fs.symlinkSync(outside, join(dir, 'workspace', 'link'))
  expect(faults()).toEqual([])
  fs.symlinkSync('AKIA0123456789ABCDEF', join(dir, 'workspace', 'key'))
  expect(faults()).toEqual([expect.stringMatching(/^x\/workspace\/key:1: holds an AWS access key/)])
})

test.each([
  ['a link', (path: string) => fs.symlinkSync('/etc', path), 'is a symbolic link; nothing is copied through it'],
  ['a FIFO', fifo, 'is a FIFO, not a regular file'],
])('a workspace that is %s is a fault', (_, make, problem) => {
  make(join(dir, 'workspace'))
  expect(faults()).toEqual([expect.stringContaining(`x/workspace: ${problem}`)])
})

test('control characters in names are printed escaped, and a name that is not UTF-8 is a fault', () => {
  fs.writeFileSync(join(dir, 'a\n\u001b[31m.txt'), '')
  fs.mkdirSync(join(dir, 'workspace'))
  fs.writeFileSync(Buffer.concat([Buffer.from(`${dir}/workspace/`), Buffer.from([0xff])]), '')
  const message = new FixtureError(guardFixtures(readFixtureTree(root, root), { complete: true })).message
  expect(message).toContain('x/a\\u000a\\u001b[31m.txt: unknown file')
  expect(message).toContain('x/workspace/\uFFFD: has a name that is not UTF-8')
  expect(message).not.toContain('\u001b')
})

test('a path that is too long for the system is a fault', () => {
  const deep = join(dir, 'workspace')
  fs.mkdirSync(deep)
  // The system refuses the whole path, so it is made step by step.
  const script = 'n=$(printf "d%.0s" $(seq 250)); for i in $(seq 20); do mkdir $n && cd -P $n || exit 1; done'
  execFileSync('bash', ['-c', script], { cwd: deep })
  expect(faults()).toEqual([expect.stringMatching(/^x\/workspace\/d.*: cannot be read: ENAMETOOLONG$/)])
  execFileSync('rm', ['-rf', deep])
})

test('a file or directory without read permission is a fault, and hides no other fault', () => {
  fs.mkdirSync(join(dir, 'workspace', 'shut'), { recursive: true })
  fs.writeFileSync(join(dir, 'workspace', 'secret.txt'), '')
  fs.writeFileSync(join(dir, 'stray.txt'), '')
  fs.chmodSync(root, 0o755)
  fs.chmodSync(join(dir, 'session.jsonl'), 0)
  fs.chmodSync(join(dir, 'workspace', 'secret.txt'), 0)
  fs.chmodSync(join(dir, 'workspace', 'shut'), 0)
  const { status, stderr } = checkCommand(root)
  expect(status).toBe(1)
  expect(stderr).toContain('session.jsonl: cannot be opened: EACCES')
  expect(stderr).toContain('workspace/secret.txt: cannot be opened: EACCES')
  expect(stderr).toContain('workspace/shut: cannot be read: EACCES')
  expect(stderr).toContain('stray.txt: unknown file')
  expect(stderr).not.toMatch(/^ +at /m)
})

test.each([
  ['cannot be read: EACCES', () => fs.chmodSync(root, 0)],
  ['cannot be read: ELOOP', () => fs.symlinkSync('loop', join(root, 'loop')), 'loop'],
  ['is not a directory', () => fs.writeFileSync(join(root, 'file'), ''), 'file/x'],
])('an argument that %s is a usage error', (problem, make, below = '') => {
  fs.chmodSync(root, 0o755)
  make()
  const { status, stderr } = checkCommand(join(root, below))
  fs.chmodSync(root, 0o755)
  expect(status).toBe(2)
  expect(stderr).toMatch(new RegExp(`^acp-snapshot: \\S+ ${problem}\n$`))
  expect(stderr).not.toMatch(/^ +at /m)
})

/** Runs the command. Root can read everything, so another user runs it. */
function checkCommand(at: string) {
  const bin = join(__dirname, '../../bin/acp-snapshot.mjs')
  return spawnSync(process.execPath, [bin, 'check', at, '--session-logs'], {
    cwd: '/',
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
    ...(process.getuid?.() === 0 && { uid: 65534, gid: 65534 }),
  })
}

const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

test.each<[string, Files, RegExp]>([
  ['input.json', { 'input.json': `{\n"steps": ${DEEP} }` }, /^x\/input\.json:2:109: nested too deeply/],
  ['an override', { 'replay.override.json': DEEP }, /^x\/replay\.override\.json:1:101: nested too deeply/],
  ['a golden', { 'stdout.golden.jsonl': `{}\n${DEEP}\n` }, /^x\/stdout\.golden\.jsonl:2:101: nested too deeply/],
  ['a log', { 'session.jsonl': `${log()}${DEEP}\n` }, /^x\/session\.jsonl:8: nested too deeply.* \(column 101\)/],
  ['a pin', { 'tool-schemas.golden.json': DEEP }, /^x\/tool-schemas\.golden\.json:1:101: nested too deeply/],
])('JSON that is nested too deeply is a fault, and hides no other fault: %s', (_, files, fault) => {
  write('x', { ...files, 'stray.txt': '' })
  const found = faults()
  expect(found).toContainEqual(expect.stringMatching(fault))
  expect(found).toContainEqual(expect.stringMatching(/^x\/stray\.txt/))
})

test('arguments of a tool call that are nested too deeply are a fault', () => {
  const call = { type: 'tool-call', id: 'c', name: 'bash', arguments: DEEP }
  const chunks = [
    { type: 'block-start', index: 0, blockType: 'tool-call' },
    { type: 'tool-call-delta', index: 0, id: 'c', name: 'bash', argumentsDelta: DEEP },
    { type: 'block-end', index: 0, block: call },
    { type: 'finish', reason: { kind: 'tool-calls' } },
  ]
  const problem = 'the arguments of a tool call are nested too deeply: at most 100 levels are read'
  write('x', { 'session.jsonl': log(chunks as object[]) })
  expect(faults()).toContain(`x/session.jsonl:6: ${problem}`)
  const overridden = { 'input.json': input({ pinsHeader: true, overridden: true }) }
  const override = (entries: object[]) => ({ ...overridden, 'replay.override.json': JSON.stringify(entries) })
  write('x', { 'session.jsonl': log(), ...override([{ kind: 'chunks', chunks }]) })
  expect(faults()).toContain(`x/replay.override.json: ${problem}`)
  write('x', { 'session.jsonl': log(chunks as object[]), ...override([{ kind: 'hang' }]) })
  expect(faults()).toContain(`x/session.jsonl:6: ${problem}`)
})

test.each(['session.300000000.jsonl', 'session.99999999999999999999.jsonl', `session.${'9'.repeat(240)}.jsonl`])(
  'a log with a huge number has few faults: %s',
  (name) => {
    write('x', { [name]: log() })
    const found = faults()
    expect(found).toContainEqual(expect.stringMatching(/^x\/session\.1\.jsonl: is missing/))
    expect(found.length).toBeLessThan(12)
  },
)

test.each([300_000_000, 2 ** 53, 1000])('an override for session %d is a fault', (session) => {
  write('x', {
    'input.json': input({ pinsHeader: true, overridden: true }),
    'replay.override.json': JSON.stringify([{ kind: 'hang', session }]),
  })
  expect(faults()).toEqual([expect.stringMatching(/^x\/replay\.override\.json: /)])
})

test('a file of only newlines, and one with 100,000 lines that are not JSON, have few faults', () => {
  write('x', { 'stdout.golden.jsonl': 'x\n'.repeat(100_000), 'session.jsonl': '\n'.repeat(20_000_000) })
  const found = faults()
  expect(found.length).toBeLessThan(20)
  expect(found).toContain('x/session.jsonl: has more than 1000000 lines')
  expect(found).toContainEqual(expect.stringContaining('(and on 99989 more lines)'))
})

test('files whose total size is too large are refused, not read into memory', () => {
  fs.mkdirSync(join(dir, 'workspace'))
  for (const name of ['a', 'b']) {
    fs.writeFileSync(join(dir, 'workspace', name), '')
    fs.truncateSync(join(dir, 'workspace', name), 40 * 1024 ** 2)
  }
  const found = faults()
  expect(found).toHaveLength(1)
  for (const fault of found)
    expect(fault).toMatch(/^x\/workspace\/.: was not read: the files of a scenario may have at most 67108864 bytes/)
})

test('canBeParsed is false for an input.json that Jest cannot parse', () => {
  expect(canBeParsed(dir)).toBe(true)
  for (const text of ['', '{', DEEP, '\u0000']) {
    fs.writeFileSync(join(dir, 'input.json'), text)
    expect(canBeParsed(dir)).toBe(false)
  }
  fs.writeFileSync(join(dir, 'input.json'), `\uFEFF${line({})}`)
  expect(canBeParsed(dir)).toBe(true)
  fs.rmSync(join(dir, 'input.json'))
  fifo(join(dir, 'input.json'))
  expect(canBeParsed(dir)).toBe(false)
})
