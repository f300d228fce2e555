import { HEADER, line } from '../guard/fixtures.ts'
import { type Files, golden, type JestRun, orders, Project, script } from './project.ts'

const todo = (content: string) => ({
  type: 'todo/write',
  seq: 0,
  time: 0,
  data: { todos: [{ content, status: 'pending' }] },
})
const request = (system: string, tools: unknown) => {
  const header = { config: { model: 'm' }, system, tools }
  return { type: 'request/header', seq: 0, time: 0, data: { header, reason: 'initial' } }
}
const logging = (event: object, ...lines: string[]) =>
  `append $SESSIONS/logs/session-1.jsonl ${[JSON.stringify(event), ...lines].join('\n')}`

const SCENARIOS: Record<string, Files> = {
  same: { 'input.json': orders('say hello'), 'stdout.golden.jsonl': golden('hello') },
  other: { 'input.json': orders('error on stderr', 'say hello'), 'stdout.golden.jsonl': golden('goodbye') },
  fresh: { 'input.json': orders('say hello') },
  crash: { 'input.json': script({ config: 'dies' }) },
  crlf: { 'input.json': orders('say hello'), 'stdout.golden.jsonl': golden('hello').replaceAll('\n', '\r\n') },
  logged: {
    'input.json': orders(logging(todo('new'), 'error on stderr')),
    'session.jsonl': HEADER + line(todo('old')),
    'stdout.golden.jsonl': golden(),
  },
  pinned: {
    'input.json': JSON.stringify({ pinsHeader: true, ...JSON.parse(orders(logging(request('You help.', [])))) }),
    'session.jsonl': HEADER + line(request('{{system}}', '{{tools}}')),
    'stdout.golden.jsonl': golden(),
    'system-prompt.golden.md': 'You helped.\n',
    'tool-schemas.golden.json': '[]\n',
  },
  gone: { 'session.jsonl': undefined, 'stdout.golden.jsonl': golden('hello') },
}

let project: Project
let before: Record<string, string>
let ran: JestRun

function run(...args: string[]): void {
  project = new Project(SCENARIOS)
  before = project.fixtures()
  ran = project.jest(args)
}

/** The files that the run changed, created or removed. */
function changed(): string[] {
  const after = project.fixtures()
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((path) => before[path] !== after[path])
    .sort()
}

/** What Jest printed for a scenario that failed, without the stack. */
function failure(name: string): string {
  const block = ran.output.split(/^ {2}● /m).find((text) => text.startsWith(`${name}\n`)) ?? ''
  const lines = block.split('\n').slice(2)
  const end = lines.findIndex((text) => /^ › |^\S/.test(text))
  return lines
    .slice(0, end === -1 ? undefined : end)
    .map((text) => text.replace(/^ {4}/, ''))
    .join('\n')
    .trimEnd()
}

afterAll(() => project?.remove())

describe('under --ci', () => {
  beforeAll(() => run('--ci'))
  afterAll(() => project.remove())

  test('no file is written, and no directory or process is left', () => {
    expect(changed()).toEqual([])
    expect(project.leftovers()).toEqual({ directories: [], processes: [] })
    expect(ran.exitCode).toBe(1)
  })

  test('an equal golden passes', () => {
    expect(ran.output).toContain('PASS __fixtures__/same/input.json')
    expect(ran.output).toMatch(/^Tests: {7}6 failed, 1 passed, 7 total$/m)
  })

  test('a golden that differs fails with the place, the values, the diff, stderr and what to do', () => {
    expect(failure('other')).toBe(
      [
        'scenario other: the transcript differs from stdout.golden.jsonl',
        '  first at frame 3 (step 3, prompt), params.update.content.text:',
        '    expected "goodbye"',
        '    got      "hello"',
        '  1 line differs in all',
        '',
        '- Expected',
        '+ Received',
        '',
        ...diffOf(golden('goodbye'), golden('hello')),
        '',
        'stderr of the agent:',
        '  | on stderr',
        '',
        'If this is wanted: npx jest __fixtures__/other/ -u',
      ].join('\n'),
    )
  })

  test('a golden that is missing fails', () => {
    expect(failure('fresh')).toBe(
      'scenario fresh: stdout.golden.jsonl is missing, and --ci writes none. To create it: npx jest __fixtures__/fresh/',
    )
  })

  test('a golden with CRLF line endings is refused, and the message says so', () => {
    expect(failure('crlf')).toContain('stdout.golden.jsonl:1: has a CRLF line ending; fixtures use LF.')
  })

  test('a crash of the agent is reported whole, and its golden is not compared', () => {
    expect(failure('crash')).toBe(
      [
        'ScenarioError: scenario crash, step 1 (initialize): the agent exited with code 3 during this step',
        '',
        'The agent sent no frames.',
        '',
        'stderr of the agent:',
        '  | dies.mjs: out of luck',
      ].join('\n'),
    )
  })

  test('no failure shows a line of code', () => {
    expect(ran.output).not.toMatch(/^ +at |^ *>? *\d+ \|/m)
  })

  test('a log that differs fails with the place, the values, the diff, stderr and what to do', () => {
    expect(failure('logged').split(/\n{2,}/)).toEqual([
      [
        'scenario logged: the session log differs from session.jsonl',
        '  first at session.jsonl:2 (todo/write), data.todos.0.content:',
        '    expected "old"',
        '    got      "new"',
        '  1 line differs in all',
      ].join('\n'),
      '- Expected\n+ Received',
      expect.stringMatching(/^- .*"old".*\n\+ .*"new".*$/m),
      'stderr of the agent:\n  | on stderr',
      "If the agent's own behaviour changed on purpose: REFRESH=1 npx jest __fixtures__/logged/",
    ])
  })

  test('a header that differs from its pin fails with the place, the diff and what to do', () => {
    expect(failure('pinned').split(/\n{2,}/)).toEqual([
      'scenario pinned: the request header (session 0, seq 0) differs from pinned/system-prompt.golden.md, which pins class "default"',
      '- Expected\n+ Received',
      expect.stringMatching(/^- You helped\.\n\+ You help\.$/m),
      'If this is wanted: REFRESH=1 npx jest __fixtures__/pinned/',
    ])
  })

  test('a golden without a scenario fails the run, even if all tests pass', () => {
    const { same = {}, gone = {} } = SCENARIOS
    const well = new Project({ same, gone })
    const { exitCode, output } = well.jest(['--ci'])
    well.remove()
    expect([exitCode, output]).toEqual([1, expect.stringMatching(/^Tests: {7}1 passed, 1 total$/m)])
    expect(output).toContain(
      '\ngoldens without an input.json: __fixtures__/gone/stdout.golden.jsonl. Remove them, or run jest -u\n',
    )
  })

  test('the summary counts goldens as Jest counts snapshots', () => {
    expect(ran.output).toMatch(/^Snapshots: {3}2 failed, 1 file obsolete, 3 passed, 5 total$/m)
  })

  test('a filtered run ignores other scenarios', () => {
    const filtered = project.jest(['same', '--ci'])
    expect([filtered.exitCode, filtered.output]).toEqual([0, expect.not.stringContaining('gone')])
    project.jest(['same', '-u'])
    expect(changed()).toEqual([])
  })

  test('a name filter that matches nothing starts no agent, and keeps all goldens', () => {
    const boots = project.boots()
    const { output } = project.jest(['-t', 'no such scenario', '-u'])
    expect(output).toMatch(/^Tests: {7}7 skipped, 7 total$/m)
    expect(project.boots()).toBe(boots)
    expect(changed()).toEqual([])
  })
})

describe('without a flag', () => {
  beforeAll(() => run())
  afterAll(() => project.remove())

  test('only the new golden is written, and no golden for the agent that crashed', () => {
    expect(changed()).toEqual(['fresh/stdout.golden.jsonl'])
    expect(project.fixtures()['fresh/stdout.golden.jsonl']).toBe(golden('hello'))
    expect(ran.output).toMatch(/^ › 1 snapshot written\.$/m)
  })

  test('a golden without a scenario is reported as obsolete, and is kept', () => {
    expect(ran.output).toMatch(/^ › 1 snapshot file obsolete/m)
    expect(ran.output).toContain('gone/stdout.golden.jsonl')
    expect(ran.output).not.toContain('goldens without an input.json')
  })

  test('the summary counts the written golden', () => {
    expect(ran.output).toMatch(/^Snapshots: {3}1 failed, 1 file obsolete, 1 written, 3 passed, 5 total$/m)
  })
})

describe('under -u', () => {
  beforeAll(() => run('-u'))
  afterAll(() => project.remove())

  test('goldens are rewritten, obsolete ones are removed, and nothing else changes', () => {
    const goldens = ['crlf', 'fresh', 'gone', 'other'].map((name) => `${name}/stdout.golden.jsonl`)
    expect(changed()).toEqual(goldens)
    expect(project.fixtures()).toMatchObject({
      'crlf/stdout.golden.jsonl': golden('hello'),
      'fresh/stdout.golden.jsonl': golden('hello'),
      'other/stdout.golden.jsonl': golden('hello'),
    })
    expect(project.fixtures()).not.toHaveProperty(['gone/stdout.golden.jsonl'])
  })

  test('a log or a pin that differs still fails', () => {
    expect(failure('logged')).toContain('the session log differs from session.jsonl')
    expect(failure('pinned')).toContain('differs from pinned/system-prompt.golden.md')
  })

  test('the summary counts updated, written and removed goldens', () => {
    expect(ran.output).toMatch(/^ › 1 snapshot file removed/m)
    expect(ran.output).toMatch(/^Snapshots: {3}1 file removed, 2 updated, 1 written, 3 passed, 6 total$/m)
  })
})

/** Jest's diff of two texts that differ in their third line, with its context lines. */
function diffOf(expected: string, got: string): string[] {
  const [first, second, want, last] = expected.split('\n')
  return [`  ${first}`, `  ${second}`, `- ${want}`, `+ ${got.split('\n')[2]}`, `  ${last}`, '']
}
