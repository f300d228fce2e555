import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../../src/cli/main.ts'
import { KNOWN_FILES } from '../../src/guard/check-layout.ts'
import { type Files, input, pinning, scenario } from '../guard/fixtures.ts'

let temp: string
let cwd: string

beforeEach(() => {
  temp = mkdtempSync(join(tmpdir(), 'acp-cli-'))
  cwd = temp
})

afterEach(() => rmSync(temp, { recursive: true }))

function write(root: string, files: Files): void {
  mkdirSync(join(cwd, root, 'x'), { recursive: true })
  for (const [path, content] of scenario('x', { ...Object.fromEntries(pinning('x').files), ...files }).files) {
    writeFileSync(join(cwd, root, 'x', path), content)
  }
}

async function run(args: string[], env: NodeJS.ProcessEnv = {}) {
  const out: string[] = []
  const err: string[] = []
  const code = await main(['check', ...args], {
    cwd,
    env,
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  })
  return { code, out, err }
}

test('reports success if there are no faults', async () => {
  write('__fixtures__', {})
  expect(await run(['--session-logs'])).toEqual({ code: 0, out: ['1 fixture, no faults'], err: [] })
})

test('prints all faults of a complete tree at once, and fails', async () => {
  write('other', {
    'stdout.golden.jsonl': undefined,
    'workspace.txt': '',
    'system-prompt.golden.md': 'my-secret-value\n',
  })
  expect(await run(['other', '--session-logs'], { MY_SECRET: 'my-secret-value' })).toEqual({
    code: 1,
    out: [],
    err: [
      '1 fixture, 3 faults:\n' +
        '  1. other/x/stdout.golden.jsonl: is missing; npx jest other/x/ writes it\n' +
        '  2. other/x/system-prompt.golden.md:1: holds the value of MY_SECRET; take it out, and revoke it if it ever left this machine\n' +
        `  3. other/x/workspace.txt: unknown file; a scenario has ${KNOWN_FILES}`,
    ],
  })
})

test('also searches with the rules of secretlint', async () => {
  write('__fixtures__', { 'system-prompt.golden.md': `Use lin_${'api_'}${'a1B2c3D4e5'.repeat(4)}.\n` })
  expect(await run(['--session-logs'])).toMatchObject({
    code: 1,
    err: [expect.stringContaining('system-prompt.golden.md:1: holds a secret (secretlint: linear/LINEAR_API_TOKEN); ')],
  })
})

test('names the workspace files that were not searched for secrets because they are not text', async () => {
  mkdirSync(join(cwd, '__fixtures__/x/workspace'), { recursive: true })
  write('__fixtures__', {
    'workspace/logo.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]),
    'workspace/wide.txt': Buffer.from('\uFEFFplain text', 'utf16le'),
    'workspace/plain.txt': 'plain text',
  })
  expect(await run(['--session-logs'])).toEqual({
    code: 0,
    out: ['1 fixture, no faults'],
    err: ['not searched for secrets (not text): x/workspace/logo.png; check that they contain no secret'],
  })
})

test('does not search for the name of the current user', async () => {
  write('__fixtures__', { 'system-prompt.golden.md': 'Ask zoe.\n' })
  expect((await run(['--session-logs'], { USER: 'zoe' })).code).toBe(0)
})

test('a directory that does not exist is an error', async () => {
  expect(await run(['nowhere'])).toMatchObject({
    code: 2,
    err: ['acp-snapshot: nowhere is not a directory'],
  })
})

test.each([
  [['a', 'b'], "too many arguments for 'check'. Expected 1 argument but got 2"],
  [['--no-session-log'], "unknown option '--no-session-log'"],
  [['--\u001b[2J'], "unknown option '--\\u001b[2J'"],
])('explains what is wrong with %j, and points to the help', async (args, problem) => {
  const { code, out, err } = await run(args)
  expect({ code, out, err }).toEqual({
    code: 2,
    out: [],
    err: expect.arrayContaining([expect.stringContaining(problem), expect.stringContaining('--help')]),
  })
})

test.each([[['--help']], [['-h', 'nowhere']]])('%j prints every option, and succeeds', async (args) => {
  const { code, out, err } = await run(args)
  expect({ code, err }).toEqual({ code: 0, err: [] })
  const help = out.join('\n')
  expect(help).toMatch(/^Usage: acp-snapshot check /)
  for (const part of ['directory', '--config', '--session-logs', '--no-session-logs', '--help', 'examples:'])
    expect(help).toContain(part)
})

test('without session logs, --session-logs says what is missing', async () => {
  const noPins = { 'input.json': input(), 'system-prompt.golden.md': undefined, 'tool-schemas.golden.json': undefined }
  write('__fixtures__', { 'session.jsonl': undefined, ...noPins })
  const missing = expect.stringContaining('__fixtures__/x/session.jsonl: is missing')
  expect(await run(['--session-logs'])).toMatchObject({ code: 1, err: [missing] })
  for (const args of [[], ['--no-session-logs'], ['__fixtures__', '--no-session-logs'], ['--', '__fixtures__']])
    expect(await run(args)).toEqual({ code: 0, out: ['1 fixture, no faults'], err: [] })
})

test('finds the directories and the log format in the Jest config', () => {
  const root = join(__dirname, '..', '..', '..')
  const lines = ['__fixtures__', 'examples/agents/sdk-example/__fixtures__'].map((dir) => {
    const scenarios = readdirSync(join(root, dir), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    return `${scenarios.length} fixtures, no faults\n`
  })
  expect(start(root, ['check'])).toMatchObject({ status: 0, stdout: lines.join('') })
})

test('a Jest config that cannot be read is an error', async () => {
  cwd = join(__dirname, '..')
  expect(await run(['--config', 'none.json'])).toMatchObject({
    code: 2,
    err: [expect.stringMatching(/^acp-snapshot: the Jest config cannot be read: .*none\.json/s)],
  })
})

test('runs as a command, from any directory', () => {
  write('__fixtures__', { 'stray.txt': '' })
  expect(start(cwd, ['check', '--session-logs'])).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^1 fixture, 1 fault:\n {2}1\. __fixtures__\/x\/stray\.txt: unknown file/),
  })
})

function start(cwd: string, args: string[]) {
  const bin = join(__dirname, '../../bin/acp-snapshot.mjs')
  return spawnSync(process.execPath, [bin, ...args], { cwd, encoding: 'utf8', env: { PATH: process.env.PATH } })
}
