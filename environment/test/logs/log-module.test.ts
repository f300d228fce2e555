import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentFile } from '@acp-snapshot/testing/agent-file'
import { codeBlocks } from '@acp-snapshot/testing/documentation'
import { type LogRecords, logFormatOf } from '../../src/logs/log-module.ts'
import { type Files, Project } from '../matchers/project.ts'

/** A log format for the agent `json-log`, whose logs are JSON files with an array of events: the module of the page. */
const MODULE = codeBlocks('docs/options.md', 'js').find(({ code }) => code.startsWith('// my-log.mjs'))?.code ?? ''

const COMMAND = join(__dirname, '..', '..', 'bin', 'acp-snapshot.mjs')

const LOG = (...events: object[]) => `${JSON.stringify({ id: '{{sessionId}}', startedAt: 0, events }, null, 2)}\n`
const SAID = { at_ms: 0, type: 'said', text: 'hello', in: '{{cwd}}', session: '{{sessionId}}' }
const EXTRA = { at_ms: 0, type: 'extra', text: 'more' }
const INPUT = JSON.stringify({
  steps: [{ op: 'initialize' }, { op: 'newSession' }, { op: 'prompt', text: 'hello' }],
})

describe('an agent with a log format of its own', () => {
  let project: Project

  afterEach(() => {
    expect(project.leftovers()).toEqual({ directories: [], processes: [] })
    project.remove()
  })

  function make(files: Files, env: object = {}): void {
    project = new Project({ x: { 'input.json': INPUT, 'session.jsonl': undefined, ...files } })
    project.write('my-log.mjs', MODULE)
    project.configure({
      args: [agentFile('json-log')],
      sessionLogs: '<rootDir>/my-log.mjs',
      env: { SESSIONS: '{{sessions}}', ...env },
    })
  }

  const logOf = () => project.fixtures()['x/session.json']

  test.each([
    ['RECORD=1', { RECORD: '1', PUPPET_KEY: 'a-key' }],
    ['REFRESH=1', { REFRESH: '1' }],
    ['a first run', {}],
  ])('is recorded by %s, and can then be replayed', (_, env) => {
    make({})
    expect(project.jest([], env)).toMatchObject({ exitCode: 0 })
    expect(Object.keys(project.fixtures())).toEqual(['x/input.json', 'x/session.json', 'x/stdout.golden.jsonl'])
    expect(logOf()).toBe(LOG(SAID))
    expect(project.jest(['--ci'])).toMatchObject({ exitCode: 0 })
  })

  test('fails if its log differs, and REFRESH=1 rewrites the log', () => {
    make({}, {})
    project.jest([])
    project.configure({ env: { SESSIONS: '{{sessions}}', EXTRA: 'more' } })
    for (const args of [['--ci'], ['-u']]) {
      const { exitCode, output } = project.jest(args)
      expect(exitCode).toBe(1)
      expect(output).toContain('scenario x: the session log differs from session.json')
      expect(output).toMatch(/^ +first at session\.json:\d+/m)
      expect(output).toContain("If the agent's own behaviour changed on purpose: REFRESH=1 npx jest __fixtures__/x/")
    }
    expect(logOf()).toBe(LOG(SAID))
    expect(project.jest([], { REFRESH: '1' })).toMatchObject({ exitCode: 0 })
    expect(logOf()).toBe(LOG(SAID, EXTRA))
  })

  test('has a guard that rejects a broken log, a log of another format, and a header pin', () => {
    const input = JSON.stringify({ pinsHeader: true, ...JSON.parse(INPUT) })
    make({ 'session.json': '{', 'session.1.jsonl': '', 'input.json': input })
    const { exitCode, output } = project.jest(['--ci'])
    expect([exitCode, project.boots()]).toEqual([1, 0])
    expect(output).toContain('x/session.json: ')
    expect(output).toContain('x/session.1.jsonl: not allowed here: the logs of this agent are named session.json …')
    const command = [COMMAND, 'check', '--session-logs', 'my-log.mjs']
    expect(spawnSync(process.execPath, command, { cwd: project.dir, encoding: 'utf8' })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('x/session.1.jsonl: not allowed here'),
    })
  })

  test('fails the scenario if it leaves a log that cannot be parsed', () => {
    make({})
    project.write('my-log.mjs', `${MODULE}export const isLog = (path) => path.endsWith('.txt')\n`)
    project.configure({
      command: 'sh',
      args: ['-c', `echo torn > "$SESSIONS/a.txt"; exec node ${agentFile('json-log')}`],
    })
    expect(project.jest([]).output).toMatch(
      /the session logs: expected session logs that can be read\n +got +a\.txt: Unexpected token/,
    )
    expect(Object.keys(project.fixtures())).toEqual(['x/input.json'])
  })
})

describe('an agent without session logs', () => {
  test('cannot have a log in its fixtures, nor pin a header', () => {
    const input = JSON.stringify({ pinsHeader: true, ...JSON.parse(INPUT) })
    const project = new Project({ x: { 'input.json': input } })
    project.configure({ sessionLogs: false })
    const { exitCode, output } = project.jest([])
    expect([exitCode, project.boots()]).toEqual([1, 0])
    expect(output).toContain('x/session.jsonl: not allowed here: testEnvironmentOptions.acp.sessionLogs is false')
    expect(output).toContain('x/input.json: "pinsHeader": true needs session logs')
    project.remove()
  })
})

test.each([
  ['that does not exist', undefined, 'cannot be loaded: '],
  ['that throws', 'throw new Error("out of luck")', 'cannot be loaded: out of luck'],
  ['that does not export parse', 'export const extension = "json"', 'cannot be used: export parse: must be a function'],
])('a module %s is an error that names the module and the problem', (_, text, problem) => {
  const cwd = fs.mkdtempSync(join(tmpdir(), 'log-module-'))
  fs.mkdirSync(join(cwd, '__fixtures__'))
  if (text !== undefined) fs.writeFileSync(join(cwd, 'my-log.mjs'), text)
  const { status, stderr } = spawnSync(process.execPath, [COMMAND, 'check', '--session-logs', 'my-log.mjs'], {
    cwd,
    encoding: 'utf8',
  })
  fs.rmSync(cwd, { recursive: true })
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining(`acp-snapshot: the log format ${join(cwd, 'my-log.mjs')} `),
  ])
  expect(stderr).toContain(problem)
})

describe('the exports of a module', () => {
  const FILE = '/x/my-log.mjs'

  test('may be named exports, or properties of the default export', () => {
    const parse = (text: string) => ({ records: [...text] })
    for (const exported of [{ parse }, { default: { parse } }]) {
      const format = logFormatOf(exported, FILE)
      expect(format.normalize(['ab'])).toEqual(['"a"\n"b"\n'])
      expect([format.extension, format.isLog('a/b.jsonl'), format.isLog('a.json')]).toEqual(['jsonl', true, false])
      expect([format.hasEvents('a'), format.hasEvents('')]).toEqual([true, false])
    }
  })

  test.each([undefined, null, 5, {}, { default: null }, { parse: 1 }, { parse: String, extension: '.json' }])(
    'are refused if they are not a log format: %j',
    (exported) => expect(() => logFormatOf(exported, FILE)).toThrow(`the log format ${FILE} cannot be used: export `),
  )

  test.each([
    ['parse returned no log: records', { parse: () => ({ records: 5 }) }],
    ['parse returned no log: records', { parse: () => ({ records: [() => 1] }) }],
    ['parse returned no log: ', { parse: () => undefined }],
    ['print returned no string', { parse: () => ({ records: [] }), print: () => 5 }],
  ])('are named in the error if they return a wrong value: %s', (problem, exported) => {
    expect(() => logFormatOf(exported, FILE).normalize(['x'])).toThrow(`the log format ${FILE}: ${problem}`)
  })

  test('may throw an error with the line that cannot be parsed', () => {
    const parse = () => {
      throw Object.assign(new Error('odd'), { line: 3 })
    }
    expect(() => logFormatOf({ parse }, FILE).parse('x')).toThrow(expect.objectContaining({ message: 'odd', line: 3 }))
  })

  test('are used to replace ids, times and paths with tokens, numbered across all logs', () => {
    const format = logFormatOf(
      {
        extension: 'json',
        parse: (text: string) => {
          const { id, startedAt, events } = JSON.parse(text)
          return { id, createdAt: startedAt, records: events }
        },
        print: ({ id, createdAt, records }: LogRecords) =>
          JSON.stringify({ id, startedAt: createdAt, events: records }),
      },
      FILE,
    )
    const log = (id: string, text: string) => JSON.stringify({ id, startedAt: 1700000000000, events: [{ text }] })
    const texts = [log('session-a', 'see session-b'), log('session-b', 'in /w/x')]
    const once = format.normalize(texts, { paths: { cwd: ['/w'] } })
    expect(once.map((text) => JSON.parse(text))).toEqual([
      { id: '{{sessionId}}', startedAt: 0, events: [{ text: 'see {{sessionId.2}}' }] },
      { id: '{{sessionId.2}}', startedAt: 0, events: [{ text: 'in {{cwd}}/x' }] },
    ])
    expect(format.normalize(once)).toEqual(once)
  })
})
