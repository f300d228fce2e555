import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KNOWN_FILES } from '../../src/guard/check-layout.ts'
import { fixtures } from '../../src/guard/fixtures-command.ts'
import { jsonSchemas } from '../../src/guard/json-schemas.ts'
import { type Files, input, pinning, scenario } from './fixtures.ts'

let cwd: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'acp-cli-'))
})

afterEach(() => {
  rmSync(cwd, { recursive: true })
})

function write(root: string, files: Files): void {
  mkdirSync(join(cwd, root, 'x'), { recursive: true })
  for (const [path, content] of scenario('x', { ...Object.fromEntries(pinning('x').files), ...files }).files) {
    writeFileSync(join(cwd, root, 'x', path), content)
  }
}

async function run(args: string[], env: NodeJS.ProcessEnv = {}) {
  const out: string[] = []
  const err: string[] = []
  const code = await fixtures(args, {
    cwd,
    env,
    schemaDir: cwd,
    secretlint: join(__dirname, '../../src/secrets/secretlint-process.mjs'),
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  })
  return { code, out, err }
}

test('reports success if there are no faults', async () => {
  write('__fixtures__', {})
  expect(await run([])).toEqual({ code: 0, out: ['1 fixture, no faults'], err: [] })
})

test('prints all faults of a complete tree at once, and fails', async () => {
  write('other', {
    'stdout.golden.jsonl': undefined,
    'workspace.txt': '',
    'system-prompt.golden.md': 'my-secret-value\n',
  })
  expect(await run(['other'], { MY_SECRET: 'my-secret-value' })).toEqual({
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
  expect(await run([])).toMatchObject({
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
  expect(await run([])).toEqual({
    code: 0,
    out: ['1 fixture, no faults'],
    err: ['not searched for secrets (not text): x/workspace/logo.png; check that they contain no secret'],
  })
})

test('does not search for the name of the current user', async () => {
  write('__fixtures__', { 'system-prompt.golden.md': 'Ask zoe.\n' })
  expect((await run([], { USER: 'zoe' })).code).toBe(0)
})

test('a directory that does not exist is an error', async () => {
  expect(await run(['nowhere'])).toMatchObject({
    code: 2,
    err: [expect.stringMatching(/^nowhere is not a directory\nusage: /)],
  })
})

test.each([
  [['a', 'b'], 'expected one directory, got 2'],
  [['--write-schema', 'a'], '--write-schema takes no directory and no other option'],
  [['--no-session-logs', '--session-logs', 'x'], '--session-logs and --no-session-logs cannot be combined'],
  [['--no-session-log'], "Unknown option '--no-session-log'"],
  [['--no-session-logs=yes'], "Option '--no-session-logs' does not take an argument"],
  [['--\u001b[2J'], "Unknown option '--\\u001b[2J'"],
])('explains what is wrong with %j, and prints the usage', async (args, problem) => {
  const { code, out, err } = await run(args)
  expect({ code, out, lines: err.join().split('\n') }).toEqual({
    code: 2,
    out: [],
    lines: [expect.stringContaining(problem), expect.stringMatching(/^usage: acp-fixtures /)],
  })
})

test.each([[['--help']], [['-h', 'nowhere']]])('%j prints every option, and succeeds', async (args) => {
  const { code, out, err } = await run(args)
  expect({ code, err }).toEqual({ code: 0, err: [] })
  for (const part of [
    /^usage: acp-fixtures /,
    'directory',
    '--session-logs',
    '--no-session-logs',
    '--write-schema',
    '--help',
    'Exit code',
  ]) {
    expect(out.join('\n')).toMatch(part)
  }
})

test('--no-session-logs checks the fixtures of an agent that writes no session logs', async () => {
  const noPins = { 'input.json': input(), 'system-prompt.golden.md': undefined, 'tool-schemas.golden.json': undefined }
  write('__fixtures__', { 'session.jsonl': undefined, ...noPins })
  const missing = expect.stringContaining('__fixtures__/x/session.jsonl: is missing')
  expect(await run([])).toMatchObject({ code: 1, err: [missing] })
  expect(await run(['--no-session-logs'])).toEqual({ code: 0, out: ['1 fixture, no faults'], err: [] })
  expect((await run(['__fixtures__', '--no-session-logs'])).code).toBe(0)
  expect((await run(['--no-session-logs', '--', '__fixtures__'])).code).toBe(0)
})

test('writes the JSON Schemas', async () => {
  expect((await run(['--write-schema'])).code).toBe(0)
  for (const [name, text] of jsonSchemas()) expect(readFileSync(join(cwd, name), 'utf8')).toBe(text)
})

test('runs as a command, from any directory', async () => {
  write('__fixtures__', { 'stray.txt': '' })
  const bin = join(__dirname, '../../bin/acp-fixtures.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
  expect({ status, stdout, stderr }).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^1 fixture, 1 fault:\n {2}1\. __fixtures__\/x\/stray\.txt: unknown file/),
  })
})
