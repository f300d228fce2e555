import type { Transcript } from 'jest-serializer-acp'
import { jestCommand } from '../../src/command/hint.ts'
import { acpSnapshotLogs } from '../../src/logs/acp-snapshot.ts'
import { changesOf, isSame, printRun, type SurfaceRun } from '../../src/record/printed-run.ts'
import type { FinishedRun } from '../../src/run/finished-run.ts'
import { parseInput } from '../../src/scenario/input/parse-input.ts'
import { headerPin } from '../../src/surfaces/header-pin.ts'
import { surfaces } from '../../src/surfaces/surfaces.ts'
import { input, line } from '../guard/fixtures.ts'

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

/** A finished run, in which the agent left these logs. */
function finished(
  logs: string[],
  { committed = [], ...more }: { committed?: string[]; pinsHeader?: boolean } = {},
): FinishedRun {
  const volatile = { paths: { cwd: [CWD] }, requestIds: [] }
  return {
    scenario: {
      name: 'x',
      dir: '/x',
      input: parseInput(input(more), 'input.json'),
      files: new Map(committed.map((file) => [file, ''])),
      isRecorded: false,
      command: jestCommand(),
    },
    transcript: { kind: 'acp-transcript', frames: [], volatile } satisfies Transcript,
    frameSteps: [],
    logs: logs.map((text) => ({ text, log: acpSnapshotLogs.parse(text) })),
    logFormat: acpSnapshotLogs,
    volatile,
    cwd: CWD,
    stderr: '',
    refused: [],
    withoutSecrets: (text) => text,
  }
}

/** What the run makes of its fixture. */
function changes(logs: string[], more?: Parameters<typeof finished>[1]) {
  const run = finished(logs, more)
  const captures = surfaces.map((surface) => ({ surface, value: surface.collect(run) }))
  const printed: SurfaceRun = { ...run, captures }
  return changesOf(printRun(printed, { serialize: () => GOLDEN }))
}

const HEADER = '{"type":"session","version":0,"id":"{{sessionId}}","createdAt":0,"cwd":"{{cwd}}"}\n'
const SECOND = HEADER.replace('{{sessionId}}', '{{sessionId.2}}')

test('the golden and the numbered logs have tokens in place of volatile values', () => {
  const files = changes([rawLog('a', { system: 'You help.', tools: [] }), rawLog('b')])
  expect([...files.keys()]).toEqual(['stdout.golden.jsonl', 'session.jsonl', 'session.1.jsonl'])
  expect(files.get('stdout.golden.jsonl')).toBe(GOLDEN)
  const request =
    '"data":{"header":{"config":{"model":"m"},"system":"{{system}}","tools":"{{tools}}"},"reason":"initial"}'
  expect(files.get('session.jsonl')).toBe(`${HEADER}{"type":"request/header","seq":0,"time":0,${request}}\n`)
  expect(files.get('session.1.jsonl')).toBe(SECOND)
})

test('a log without a session in the run is removed', () => {
  const committed = ['session.jsonl', 'session.1.jsonl', 'session.2.jsonl']
  const files = changes([rawLog('a')], { committed })
  expect([...files].filter(([name]) => name.startsWith('session'))).toEqual([
    ['session.jsonl', HEADER],
    ['session.1.jsonl', undefined],
    ['session.2.jsonl', undefined],
  ])
})

test('a run without a session has a log with only a header', () => {
  expect(changes([]).get('session.jsonl')).toBe(HEADER)
})

test('the scenario that pins its header class gets the first request header', () => {
  const headers = [{ system: `You work in ${CWD}.`, tools: [{ name: 'bash' }] }, { system: 'other' }]
  const files = changes([rawLog('a', ...headers)], { pinsHeader: true })
  expect(files.get('system-prompt.golden.md')).toBe('You work in {{cwd}}.\n')
  expect(files.get('tool-schemas.golden.json')).toBe('[\n  {\n    "name": "bash"\n  }\n]\n')
})

test('without a model call there is no pin, and an old pin is removed', () => {
  const committed = ['system-prompt.golden.md', 'tool-schemas.golden.json']
  const files = changes([rawLog('a')], { pinsHeader: true, committed })
  for (const file of committed) expect([file, files.has(file), files.get(file)]).toEqual([file, true, undefined])
})

test('every request header of every session is compared, and a difference names its place', () => {
  const logs = [rawLog('a', { system: 'one' }, { system: 'two', tools: [] }), rawLog('b', {})]
  expect(headerPin.collect(finished(logs))).toMatchObject({
    headers: [
      { place: 'session 0, seq 0', system: 'one\n', tools: 'null\n' },
      { place: 'session 0, seq 1', system: 'two\n', tools: '[]\n' },
      { place: 'session 1, seq 0', system: '', tools: 'null\n' },
    ],
  })
})

test('an unchanged file is not written again', () => {
  expect(isSame(new Uint8Array([255, 0]), Buffer.from([255, 0]))).toBe(true)
  expect(isSame(new Uint8Array([255, 0]), Buffer.from([255, 1]))).toBe(false)
  expect([isSame('a', 'a'), isSame('a', 'b'), isSame('a', Buffer.from('a')), isSame(undefined, undefined)]).toEqual([
    true,
    false,
    false,
    true,
  ])
})
