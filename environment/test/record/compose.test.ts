import { parseSessionLog } from '@acp-snapshot/session'
import { jestCommand } from '../../src/command/hint.ts'
import { composeFixture } from '../../src/record/compose.ts'
import { livePins } from '../../src/run/live-pins.ts'
import type { ScenarioRun } from '../../src/run/run-scenario.ts'
import { parseInput } from '../../src/scenario/input.ts'
import { input, line } from '../scenario/fixtures.ts'

const GOLDEN = '{"jsonrpc":"2.0"}\n'
const CWD = '/tmp/acp-1/cwd'

/** A log as an agent leaves it. Each header is what a request told the model. */
function rawLog(id: string, ...headers: object[]): string {
  const session = { type: 'session', version: 0, id, createdAt: 1700000000000, cwd: CWD }
  const events = headers.map((header, seq) => {
    const data = { header: { config: { model: 'm' }, ...header }, reason: 'initial' }
    return { type: 'request/header', seq, time: 1700000000001, data }
  })
  return [session, ...events].map(line).join('')
}

function runOf(
  logs: string[],
  { committed = [], ...more }: { committed?: string[]; pinsHeader?: boolean } = {},
): ScenarioRun {
  const volatile = { paths: { cwd: [CWD] }, requestIds: [] }
  return {
    scenario: {
      name: 'x',
      dir: '/x',
      input: parseInput(input(more), 'input.json'),
      logs: committed.map((file) => ({ file, text: '' })),
      scripts: [],
      command: jestCommand(),
    },
    transcript: { kind: 'acp-transcript', frames: [], volatile },
    frameSteps: [],
    logs: { kind: 'acp-session-logs', logs, volatile },
    pins: livePins(
      logs.map((text) => parseSessionLog(text, 'log')),
      volatile,
    ),
    stderr: '',
  }
}

const HEADER = '{"type":"session","version":0,"id":"{{sessionId}}","createdAt":0,"cwd":"{{cwd}}"}\n'
const SECOND = HEADER.replace('{{sessionId}}', '{{sessionId.2}}')

test('the golden and the logs, numbered in their order, hold tokens for what is volatile', () => {
  const files = composeFixture(runOf([rawLog('a', { system: 'You help.', tools: [] }), rawLog('b')]), GOLDEN)
  expect([...files.keys()]).toEqual(['stdout.golden.jsonl', 'session.jsonl', 'session.1.jsonl'])
  expect(files.get('stdout.golden.jsonl')).toBe(GOLDEN)
  const request =
    '"data":{"header":{"config":{"model":"m"},"system":"{{system}}","tools":"{{tools}}"},"reason":"initial"}'
  expect(files.get('session.jsonl')).toBe(`${HEADER}{"type":"request/header","seq":0,"time":0,${request}}\n`)
  expect(files.get('session.1.jsonl')).toBe(SECOND)
})

test('a log that the run has no session for any more is removed', () => {
  const committed = ['session.jsonl', 'session.1.jsonl', 'session.2.jsonl']
  const files = composeFixture(runOf([rawLog('a')], { committed }), GOLDEN)
  expect([...files].filter(([name]) => name.startsWith('session'))).toEqual([
    ['session.jsonl', HEADER],
    ['session.1.jsonl', undefined],
    ['session.2.jsonl', undefined],
  ])
})

test('a run without a session has a log that is a header alone', () => {
  expect(composeFixture(runOf([]), GOLDEN).get('session.jsonl')).toBe(HEADER)
})

test('the scenario that pins its header class gets what the model was told first', () => {
  const headers = [{ system: `You work in ${CWD}.`, tools: [{ name: 'bash' }] }, { system: 'other' }]
  const files = composeFixture(runOf([rawLog('a', ...headers)], { pinsHeader: true }), GOLDEN)
  expect(files.get('system-prompt.golden.md')).toBe('You work in {{cwd}}.\n')
  expect(files.get('tool-schemas.golden.json')).toBe('[\n  {\n    "name": "bash"\n  }\n]\n')
})

test('where the model was not called, there is no pin', () => {
  const files = composeFixture(runOf([rawLog('a')], { pinsHeader: true }), GOLDEN)
  expect([files.get('system-prompt.golden.md'), files.get('tool-schemas.golden.json')]).toEqual([undefined, undefined])
  expect(files.has('system-prompt.golden.md')).toBe(true)
})

test('livePins gives every request header of every session, and where it stands', () => {
  const logs = [rawLog('a', { system: 'one' }, { system: 'two', tools: [] }), rawLog('b', {})]
  expect(runOf(logs).pins).toEqual([
    { place: 'session 0, seq 0', system: 'one\n', tools: 'null\n' },
    { place: 'session 0, seq 1', system: 'two\n', tools: '[]\n' },
    { place: 'session 1, seq 0', system: '', tools: 'null\n' },
  ])
})
