import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { readyName } from '../../src/io/journal.cjs'
import { STAGING } from '../../src/scenario/files.ts'
import { HEADER, line } from '../guard/fixtures.ts'
import { golden, orders, Project, script } from './project.ts'

const SECRET = 'a-long-secret-value-1'
const SAME = { 'input.json': orders('say hello'), 'stdout.golden.jsonl': golden('hello') }
const NEW = { 'session.jsonl': undefined }
const INITIALIZE = JSON.stringify({ steps: [{ op: 'initialize' }] })

let project: Project

afterEach(() => {
  const left = project.leftovers()
  project.remove()
  expect(left).toEqual({ directories: [], processes: [] })
})

function path(...names: string[]): string {
  return join(project.dir, '__fixtures__', ...names)
}

describe('a golden is not written if it holds', () => {
  test.each([
    ['a secret of this machine', `say ${SECRET}`, { MY_TOKEN: SECRET }, 'the value of MY_TOKEN'],
    [
      'a secret by its shape',
      `say shp${'at_0123456789abcdef0123456789abcdef'}`,
      {},
      'a secret \\(secretlint: shopify/SHOPIFY_KEY\\)',
    ],
    // The script must not name the path as it is, or the path would be data.
    [
      'a path into a temp directory',
      String.raw`update {"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"\u002ftmp/shot-1"}}`,
      {},
      'a path into a temp directory',
    ],
  ])('%s', (_, order, env, kind) => {
    const input = { 'input.json': orders(order) }
    project = new Project({ first: input, old: { ...input, 'stdout.golden.jsonl': golden('hello') } })
    const before = project.fixtures()
    const { exitCode, output } = project.jest(['-u'], env)
    expect(exitCode).toBe(1)
    for (const name of ['first', 'old']) {
      expect(output).toMatch(new RegExp(`${name}/stdout\\.golden\\.jsonl:3: holds ${kind}`))
    }
    expect(output).toMatch(/^Snapshots: {3}2 failed, 2 total$/m)
    expect(project.fixtures()).toEqual(before)
  })

  test('a secret that only .env holds', () => {
    project = new Project({ first: { 'input.json': orders(`say ${SECRET}`) } })
    project.configure({ record: { envFile: '<rootDir>/.env' } })
    project.write('.env', `MY_TOKEN=${SECRET}\n`)
    expect(project.jest([]).output).toContain('stdout.golden.jsonl:3: holds the value of MY_TOKEN')
    expect(project.fixtures()).not.toHaveProperty(['first/stdout.golden.jsonl'])
  })

  test('a secret, but it is written if only another file of the fixture holds one', () => {
    project = new Project({ other: { 'input.json': orders('say hello'), 'workspace/a': SECRET } })
    expect(project.jest([], { MY_TOKEN: SECRET }).exitCode).toBe(0)
    expect(project.fixtures()['other/stdout.golden.jsonl']).toBe(golden('hello'))
  })
})

describe('a run whose replay gives another result', () => {
  test.each([
    ['RECORD=1', { RECORD: '1', PUPPET_KEY: 'a-key' }],
    ['REFRESH=1', { REFRESH: '1' }],
  ])('writes nothing under %s', (_, env) => {
    const flaky = { 'input.json': script({ config: 'flaky' }, { op: 'prompt', text: 'x' }), ...NEW }
    project = new Project({ first: flaky, old: { ...flaky, 'stdout.golden.jsonl': golden('start 0') } })
    const before = project.fixtures()
    const { exitCode, output } = project.jest(['-u'], env)
    expect(exitCode).toBe(1)
    expect(output).toContain('the transcript differs from stdout.golden.jsonl')
    expect(output).toContain('nothing was written: a replay of this run')
    expect(output).toMatch(/^Snapshots: {3}2 failed, 2 total$/m)
    expect(project.fixtures()).toEqual(before)
  })
})

describe('a new scenario that calls no model', () => {
  const SCENARIOS = {
    handshake: { 'input.json': INITIALIZE, ...NEW },
    session: { 'input.json': script({}), ...NEW },
  }

  test.each([
    ['a plain run', [], {}],
    ['-u', ['-u'], {}],
    ['REFRESH=1', [], { REFRESH: '1' }],
  ])('is completed by %s', (_, args, env) => {
    project = new Project(SCENARIOS)
    expect(project.jest(args, env)).toMatchObject({ exitCode: 0, output: expect.stringMatching(/2 written/) })
    for (const name of Object.keys(SCENARIOS)) {
      expect(project.fixtures()).toHaveProperty([`${name}/stdout.golden.jsonl`])
      expect(project.fixtures()[`${name}/session.jsonl`]).toBe(HEADER)
    }
    expect(project.jest(['--ci']).exitCode).toBe(0)
  })

  test('gets only its missing log, and existing files are not rewritten', () => {
    project = new Project({ same: { ...SAME, ...NEW } })
    const { mtimeMs } = fs.statSync(path('same', 'stdout.golden.jsonl'))
    expect(project.jest([]).exitCode).toBe(0)
    expect(project.fixtures()['same/session.jsonl']).toBe(HEADER)
    expect(fs.statSync(path('same', 'stdout.golden.jsonl')).mtimeMs).toBe(mtimeMs)
  })

  test('is refused under --ci, with the command that creates its files', () => {
    project = new Project(SCENARIOS)
    const { exitCode, output } = project.jest(['--ci'])
    expect(exitCode).toBe(1)
    expect(output).toContain('handshake/session.jsonl: is missing; npx jest __fixtures__/handshake/ writes it')
    expect(project.boots()).toBe(0)
  })

  test.each([
    ['a plain run', {}],
    ['REFRESH=1', { REFRESH: '1' }],
  ])('is not completed by %s if the agent called the model', (_, env) => {
    const header = { config: { model: 'm' }, system: 'You help.', tools: [] }
    const request = { type: 'request/header', seq: 0, time: 0, data: { header, reason: 'initial' } }
    const input = orders(`append $SESSIONS/logs/session-1.jsonl ${JSON.stringify(request)}`)
    project = new Project({ calls: { 'input.json': input, ...NEW } })
    const { exitCode, output } = project.jest([], env)
    expect([exitCode, output]).toEqual([
      1,
      expect.stringContaining('the agent called the model, but the fixture has no recorded answers'),
    ])
    expect(output).toContain('RECORD=1 records the scenario')
    expect(Object.keys(project.fixtures())).toEqual(['calls/input.json'])
  })

  test('gets a log with its events', () => {
    const todo = { type: 'todo/write', seq: 0, time: 0, data: { todos: [{ content: 'x', status: 'pending' }] } }
    const input = orders(`append $SESSIONS/logs/session-1.jsonl ${JSON.stringify(todo)}`)
    project = new Project({ events: { 'input.json': input, ...NEW } })
    expect(project.jest([]).exitCode).toBe(0)
    expect(project.fixtures()['events/session.jsonl']).toBe(HEADER + line(todo))
    expect(project.jest(['--ci']).exitCode).toBe(0)
  })

  test('gets no log if the agent has no session logs, and can be recorded again', () => {
    project = new Project({ plain: { 'input.json': orders('say hello'), ...NEW } })
    project.configure({ sessionLogs: false })
    for (const env of [{}, { REFRESH: '1' }, { RECORD: '1', PUPPET_KEY: 'a-key' }]) {
      const { exitCode, output } = project.jest([], env)
      expect([exitCode, output]).toEqual([0, expect.not.stringContaining('not recorded')])
      expect(Object.keys(project.fixtures())).toEqual(['plain/input.json', 'plain/stdout.golden.jsonl'])
    }
    expect(project.jest(['--ci']).exitCode).toBe(0)
  })
})

describe('a golden that is not a regular file fails, and does not hang:', () => {
  test.each<[string, (file: string) => void]>([
    ['a FIFO', (file) => void execFileSync('mkfifo', [file])],
    ['a link to /dev/zero', (file) => fs.symlinkSync('/dev/zero', file)],
    ['a directory', (file) => fs.mkdirSync(file)],
    ['a link to a file outside', (file) => fs.symlinkSync(path('..', 'outside.jsonl'), file)],
  ])('%s', (_, make) => {
    for (const args of [['--ci'], ['-u']]) {
      project?.remove()
      project = new Project({ odd: { 'input.json': orders('say hello') } })
      project.write('outside.jsonl', '"of another file"\n')
      make(path('odd', 'stdout.golden.jsonl'))
      const { exitCode, output } = project.jest(args)
      expect([args, exitCode, output]).toEqual([args, 1, expect.stringContaining('stdout.golden.jsonl')])
      expect(output).not.toContain('of another file')
      expect(fs.readFileSync(path('..', 'outside.jsonl'), 'utf8')).toBe('"of another file"\n')
    }
  })
})

describe('an unfiltered -u', () => {
  const DATA = [
    '__fixtures__/same/workspace/stdout.golden.jsonl',
    '__fixtures__/same/workspace/gone/stdout.golden.jsonl',
    '__fixtures__/gone/my-stdout.golden.jsonl',
    '__fixtures__/gone/deep/stdout.golden.jsonl',
    '__fixtures__/stdout.golden.jsonl',
    'docs/example/stdout.golden.jsonl',
    'stdout.golden.jsonl',
  ]
  const GONE = '__fixtures__/gone/stdout.golden.jsonl'
  const exists = (file: string) => fs.existsSync(join(project.dir, file))

  test.each(['<rootDir>/__fixtures__/*/input.json', '<rootDir>/**/input.json'])(
    'removes a golden without a scenario, and no other file with a similar name: %s',
    (glob) => {
      project = new Project({ same: SAME }, { testMatch: [glob] })
      for (const file of [...DATA, GONE]) project.write(file, '{}\n')
      const { exitCode, output } = project.jest(['-u'])
      expect([exitCode, output]).toEqual([0, expect.stringContaining('1 snapshot file removed')])
      expect(DATA.filter((file) => !exists(file))).toEqual([])
      expect(exists(GONE)).toBe(false)
    },
  )

  test.each([
    [
      'reports a golden that it cannot remove',
      'fs.mkdirSync(gone, { recursive: true })',
      1,
      'goldens without an input.json could not be removed: E',
    ],
    ['ignores a golden that has disappeared', '', 0, '1 passed, 1 total'],
  ])('%s, and the summary appears', (_, instead, status, told) => {
    const setup = join(__dirname, '..', '..', 'src', 'setup.ts')
    project = new Project({ same: SAME }, { setupFilesAfterEnv: [setup, '<rootDir>/vanish.cjs'] })
    project.write(GONE, '{}\n')
    const gone = JSON.stringify(join(project.dir, GONE))
    project.write('vanish.cjs', `const fs = require('node:fs'), gone = ${gone}; fs.rmSync(gone); ${instead}`)
    const { exitCode, output } = project.jest(['-u'])
    expect([exitCode, output]).toEqual([status, expect.stringContaining(told)])
    expect(output).toMatch(/^Tests: {7}1 passed, 1 total$/m)
    expect(output).not.toContain('file removed')
  })

  test('keeps a golden beside an input.json that is a dangling link, or that testPathIgnorePatterns excludes', () => {
    project = new Project({ same: SAME }, { testPathIgnorePatterns: ['/kept/'] })
    for (const name of ['linked', 'kept']) project.write(`__fixtures__/${name}/stdout.golden.jsonl`, '{}\n')
    fs.symlinkSync('nowhere', path('linked', 'input.json'))
    expect(project.jest(['-u']).output).not.toContain('removed')
    for (const name of ['linked', 'kept']) expect(fs.existsSync(path(name, 'stdout.golden.jsonl'))).toBe(true)
  })
})

describe('a write that a killed run left unfinished', () => {
  const ready = () => path(readyName(path('same'), STAGING))

  function interrupt(journal: string): void {
    fs.mkdirSync(join(ready(), 'one'), { recursive: true })
    fs.writeFileSync(join(ready(), 'one', 'journal.json'), journal)
    fs.writeFileSync(join(ready(), 'one', '1'), golden('hello'))
  }

  test('is finished by the next run, before the comparison', () => {
    project = new Project({ same: { ...SAME, 'stdout.golden.jsonl': golden('goodbye'), 'session.1.jsonl': HEADER } })
    const files = [
      { name: 'session.1.jsonl', removed: true },
      { name: 'stdout.golden.jsonl', removed: false },
    ]
    interrupt(JSON.stringify({ directory: 'same', files }))
    expect(project.jest(['--ci']).exitCode).toBe(0)
    expect(Object.keys(project.fixtures())).toEqual([
      'same/input.json',
      'same/session.jsonl',
      'same/stdout.golden.jsonl',
    ])
    expect(fs.readdirSync(path())).toEqual(['same'])
  })

  test.each([
    ['damaged', '{'],
    ['for a directory outside', '{"directory":"..","files":[{"name":"stdout.golden.jsonl","removed":false}]}'],
    ['without a list of files', '{"directory":"same"}'],
  ])('fails the scenario without starting its agent if the journal is %s', (_, journal) => {
    project = new Project({ same: SAME, other: SAME })
    interrupt(journal)
    const { exitCode, output } = project.jest(['--ci'])
    expect([exitCode, output]).toEqual([1, expect.stringContaining('a write of this fixture was interrupted')])
    expect(output).toContain('PASS __fixtures__/other/input.json')
    expect(project.boots()).toBe(1)
  })
})
