import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentFile } from '@acp-snapshot/testing/agent-file'
import { launchOf, parseOptions } from '../../src/options.ts'
import { FILES, failureOf, prompt, run, type Staged, textsOf } from './support.ts'

const TELLS = agentFile('tells')
const ROOT = join(__dirname, '..')

/** What the agent was started with: it tells it in the answer to initialize. */
async function started(staged: Partial<Staged>) {
  const { transcript } = await run({ agent: 'tells', ...staged })
  const { argv, env, cwd } = JSON.parse(transcript.frames[0] ?? '').result._meta
  const { paths } = transcript.volatile
  return { argv, env, cwd, paths } as { argv: string[]; env: NodeJS.ProcessEnv; cwd: string; paths: typeof paths }
}

test('placeholders in args and env become paths of the run; unknown ones stay', async () => {
  const args = [TELLS, '{{cwd}}/a', '{{home}}', '{{sessions}}', '{{tmp}}', '{{report}}', '{{fixture}}', '{{other}}']
  const { argv, env, cwd, paths } = await started({ options: { args, env: { A: 'x={{cwd}};{{home}}' } } })
  const [root, home, sessions, tmp] = ['root', 'home', 'sessions', 'tmp'].map((name) => paths?.[name]?.[0] ?? '')
  expect(cwd).toBe(paths?.cwd?.[0])
  expect(argv).toEqual([
    `${cwd}/a`,
    home,
    sessions,
    tmp,
    join(root ?? '', 'report.jsonl'),
    expect.stringMatching(/\/fixtures\/x$/),
    '{{other}}',
  ])
  expect(env.A).toBe(`x=${cwd};${home}`)
  expect([env.HOME, env.TMPDIR]).toEqual([home, tmp])
})

test('the agent inherits only PATH from the host', async () => {
  const { env } = await started({})
  expect(env.PATH).toBe(process.env.PATH)
  for (const name of ['NODE_ENV', 'JEST_WORKER_ID', 'CI', 'FORCE_COLOR']) expect(env).not.toHaveProperty(name)
})

test('the agent works in a copy of the workspace, and the original does not change', async () => {
  const files = { 'workspace/a/b.txt': 'seed' }
  const steps = [prompt('append a/b.txt more', 'call fs/read_text_file {"path":"{{cwd}}/a/b.txt"}')]
  const ran = await run({ agent: 'puppet', capabilities: FILES, files, steps })
  expect(textsOf(ran)).toEqual(['{"result":{"content":"seedmore\\n"}}'])
  expect(readFileSync(join(ran.scenario.dir, 'workspace', 'a', 'b.txt'), 'utf8')).toBe('seed')
})

test('"config" selects a variant of the agent; the options fill in the rest', async () => {
  const options = {
    env: { A: '1', B: '1' },
    configs: { other: { args: [TELLS, 'other'], env: { B: '2' } }, same: {} },
  }
  const other = await started({ input: { config: 'other' }, options })
  expect([other.argv, other.env.A, other.env.B]).toEqual([['other'], '1', '2'])
  const same = await started({ input: { config: 'same' }, options })
  expect([same.argv, same.env.A, same.env.B]).toEqual([[], '1', '1'])
})

test('an unknown "config" is named, with the known ones', async () => {
  const options = { configs: { a: {}, b: {} } }
  expect(await failureOf({ agent: 'puppet', input: { config: 'c' }, options })).toMatch(
    /^scenario x, the start of the agent: "config": "c" is not in testEnvironmentOptions\.acp\.configs \(there: a, b\)\n/,
  )
  expect(await failureOf({ agent: 'puppet', input: { config: 'c' } })).toContain('(there: none)')
})

test('a recording starts the agent with the "record" options and the given variables', async () => {
  const options = { env: { A: '1', B: '1' }, record: { args: [TELLS, 'live'], env: { B: '2' } } }
  const { argv, env } = await started({ options, live: { env: { KEY: 'k' } } })
  expect([argv, env.A, env.B, env.KEY]).toEqual([['live'], '1', '2', 'k'])
  const replayed = await started({ options })
  expect([replayed.argv, replayed.env.B, replayed.env.KEY]).toEqual([[], '1', undefined])
})

test('the record variant of a config overrides all other options', () => {
  const options = parseOptions(
    {
      command: 'agent',
      args: ['1'],
      env: { A: '1', B: '1', C: '1', D: '1' },
      record: { args: ['2'], env: { B: '2', C: '2', D: '2' } },
      configs: { c: { args: ['3'], env: { C: '3', D: '3' }, record: { env: { D: '4' } } } },
    },
    ROOT,
  )
  expect(launchOf(options, { config: 'c', live: true, places: {} })).toEqual({
    command: 'agent',
    args: ['3'],
    env: { A: '1', B: '2', C: '3', D: '4' },
  })
})

describe('options', () => {
  test('<rootDir> is replaced with the root of the project in every option', () => {
    const root = '/a/$&/b'
    const options = parseOptions(
      { command: '<rootDir>/agent', args: ['<rootDir>:<rootDir>'], record: { envFile: '<rootDir>/.env' } },
      root,
    )
    expect(options).toMatchObject({
      command: `${root}/agent`,
      args: [`${root}:${root}`],
      record: { envFile: `${root}/.env`, requires: [], passes: [] },
      sessionLogs: false,
      deadlines: { stepMs: 30_000, exitMs: 5_000, recordStepMs: 300_000 },
    })
  })

  test.each<[unknown, RegExp]>([
    [undefined, /command/],
    [{ command: '' }, /command/],
    [{ command: 'a', comand: 'b' }, /comand is unknown; did you mean "command"\?/],
    [{ command: 'a', args: 'b' }, /args/],
    [{ command: 'a', deadlines: { stepMs: 0 } }, /deadlines\.stepMs/],
    [{ command: 'a', configs: { c: { command: 'b' } } }, /configs\.c/],
  ])('%j are refused, and the key is named', (value, message) => {
    expect(() => parseOptions(value, ROOT)).toThrow(/^testEnvironmentOptions\.acp/)
    expect(() => parseOptions(value, ROOT)).toThrow(message)
  })
})
