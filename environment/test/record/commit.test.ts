import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { processesIn } from '@acp-snapshot/testing/processes'
import { commitFiles } from '../../src/record/commit.ts'
import { STAGING } from '../../src/scenario/files.ts'
import { until } from '../child/drive.ts'
import { makeMemoryDir } from './memory-dir.ts'

const COMMITTER = ['-r', require.resolve('esbuild-register'), join(__dirname, 'committer.ts')]

let root: string
let dir: string

beforeEach(() => {
  root = makeMemoryDir('commit-test-')
  dir = join(root, 'x')
  fs.mkdirSync(dir)
})

afterEach(() => {
  fs.rmSync(root, { recursive: true })
})

function content(): Record<string, string> {
  return Object.fromEntries(fs.readdirSync(dir).map((name) => [name, fs.readFileSync(join(dir, name), 'utf8')]))
}

test('writes and removes the given files, keeps all others, and leaves no staging files', () => {
  fs.writeFileSync(join(dir, 'input.json'), '{}')
  fs.writeFileSync(join(dir, 'a'), 'old')
  fs.writeFileSync(join(dir, 'gone'), 'old')
  const files = new Map([
    ['a', 'new'],
    ['b', 'é\n'],
    ['gone', undefined],
    ['never', undefined],
  ])
  commitFiles(dir, files)
  expect(content()).toEqual({ 'input.json': '{}', a: 'new', b: 'é\n' })
  expect(fs.readdirSync(root)).toEqual(['x'])
})

test('a scenario with the longest possible name is written', () => {
  dir = join(root, 'n'.repeat(255))
  fs.mkdirSync(dir)
  commitFiles(dir, new Map([['a', 'new']]))
  expect(content()).toEqual({ a: 'new' })
  expect(fs.readdirSync(root)).toEqual(['n'.repeat(255), 'x'])
})

test('a file keeps its permissions, and a new file gets the default ones', () => {
  fs.writeFileSync(join(dir, 'a'), 'old')
  fs.chmodSync(join(dir, 'a'), 0o440)
  commitFiles(dir, new Map([...'ab'].map((name) => [name, 'new'])))
  const modes = [...'ab'].map((name) => fs.statSync(join(dir, name)).mode & 0o777)
  expect(modes).toEqual([0o440, 0o666 & ~process.umask()])
  expect(content()).toEqual({ a: 'new', b: 'new' })
})

test('an old staging directory is removed, and a recent one is kept', () => {
  const [stale, fresh] = [`${STAGING}y-1`, `${STAGING}y-2`]
  for (const name of [stale, fresh]) fs.mkdirSync(join(root, name))
  fs.writeFileSync(join(root, stale, 'a'), '')
  const longAgo = Date.now() / 1000 - 120
  fs.utimesSync(join(root, stale), longAgo, longAgo)
  commitFiles(dir, new Map([['a', 'new']]))
  expect(fs.readdirSync(root).sort()).toEqual([fresh, 'x'])
})

test('if one file cannot be put in place, all files stay unchanged, and the error names it', () => {
  fs.writeFileSync(join(dir, 'a'), 'old')
  fs.mkdirSync(join(dir, 'c', 'full'), { recursive: true })
  const files = new Map([
    ['a', 'new'],
    ['b', 'new'],
    ['c', 'new'],
  ])
  expect(() => commitFiles(dir, files)).toThrow(/^the fixture x could not be written: \w+: .*directory/)
  // With our files in the stack, Jest would show our code.
  expect(() => commitFiles(dir, files)).toThrow(expect.objectContaining({ stack: expect.not.stringContaining('src') }))
  expect(fs.readdirSync(root)).toEqual(['x'])
  expect(fs.readFileSync(join(dir, 'a'), 'utf8')).toBe('old')
  expect(fs.readdirSync(dir).sort()).toEqual(['a', 'c'])
})

describe('without permission to write', () => {
  // Root can write everywhere, so the commit runs as the user nobody.
  const nobody: SpawnOptions = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

  function commitAsNobody(): string {
    const options = { ...nobody, env: { PATH: process.env.PATH }, input: JSON.stringify([{ a: 'new' }]) }
    return String(spawnSync(process.execPath, [...COMMITTER, dir], options).stderr)
  }

  beforeEach(() => {
    fs.chmodSync(root, 0o777)
    fs.writeFileSync(join(dir, 'a'), 'old')
  })

  test.each([
    ['the fixtures directory', () => root, 'mkdir'],
    ["the scenario's directory", () => dir, 'access'],
  ])('%s is named in the error, and nothing changes', (_, readOnly, call) => {
    fs.chmodSync(readOnly(), 0o555)
    expect(commitAsNobody()).toMatch(
      new RegExp(`^the fixture x could not be written: EACCES: permission denied, ${call} '.*'.*\n$`),
    )
    fs.chmodSync(readOnly(), 0o755)
    expect(content()).toEqual({ a: 'old' })
    expect(fs.readdirSync(root)).toEqual(['x'])
  })
})

const onLinux = process.platform === 'linux' ? test : test.skip

onLinux('a SIGKILL at any moment leaves one complete set of files', async () => {
  const lines = (letter: string) => `${letter.repeat(50)}\n`.repeat(2000)
  // With this many files, a kill usually falls between two renames.
  const many = (letter: string) => Array.from({ length: 120 }, (_, i) => [`session.${i}.jsonl`, letter])
  const sets = [
    { 'session.jsonl': lines('a'), pin: lines('a'), added: null, ...Object.fromEntries(many('a')) },
    { 'session.jsonl': lines('b'), pin: null, added: lines('b'), ...Object.fromEntries(many('b')) },
  ]
  const wholes = sets.map((set) => Object.fromEntries(Object.entries(set).filter(([, text]) => text !== null)))
  for (let round = 0; round < 9; round++) {
    // Every other round kills at the first rename, since few random moments fall between renames.
    const after = round % 2 === 0 ? Math.random() * 80 : 'first rename'
    await killedCommitter(sets, { commits: 1 + (round % 4 < 2 ? 0 : 1), after })
    const kind = wholes.findIndex((whole) => isDeepStrictEqual(whole, content()))
    expect({ round, after, kind }).not.toHaveProperty('kind', -1)
  }
})

/**
 * Starts a process that commits the sets in turn. After some commits, kills it and its group: after a delay, or during
 * the next commit. Resolves when the process that puts the files in place is done.
 */
async function killedCommitter(
  sets: object[],
  { commits, after }: { commits: number; after: number | 'first rename' },
): Promise<void> {
  const child = spawn(process.execPath, [...COMMITTER, dir, 'loop'], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  child.stdin.end(JSON.stringify(sets))
  for (let i = 0; i < commits; i++) await once(child.stdout, 'data')
  if (after === 'first rename') await firstChange()
  else await delay(after)
  process.kill(-(child.pid ?? 0), 'SIGKILL')
  await exit
  await until(() => processesIn(dir).length === 0, 'the process that puts files in place is done')
}

async function firstChange(): Promise<void> {
  const watcher = fs.watch(dir)
  await once(watcher, 'change')
  watcher.close()
}
