import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { replayProblems } from '../../src/logs/replay-report.ts'
import { answer, log } from '../guard/fixtures.ts'
import { failureOf, prompt, run, type Staged } from '../run/support.ts'

/** Stages the puppet, which reports a script of two model calls and then these lines. */
function reporting(...lines: object[]): Staged {
  const call = { kind: 'chunks', chunks: answer('PONG') }
  return {
    agent: 'puppet',
    input: { overridden: true },
    files: { 'replay.override.json': JSON.stringify([call, call]) },
    steps: [prompt(...[SCRIPT, ...lines].map((line) => `append $REPORT ${JSON.stringify(line)}`))],
    options: { env: { REPORT: '{{report}}' } },
  }
}

const SCRIPT = { type: 'script', session: 0, entries: 2 }
const served = (entry: number) => ({ type: 'served', session: 0, entry, turn: entry + 1, step: 1 })

test('a script that is served completely passes', async () => {
  await run(reporting({ type: 'opened', session: 0, sessionId: 's' }, served(0), served(1)))
})

test('an entry that is never requested fails the run, even if every step succeeds', async () => {
  expect(await failureOf(reporting(served(0)))).toMatch(
    /^scenario x, the replay: session 0 has 2 model calls in its script, the agent made 1: entry 2 was not requested after turn 1 step 1\n\nThe last of 3 frames:\n/,
  )
})

test('a script without any request fails the run', async () => {
  expect(await failureOf(reporting())).toContain(
    'session 0 has 2 model calls in its script, the agent made 0: entry 1 was not requested in the whole run\n',
  )
})

test.each([
  ['a recorded log', { files: { 'session.jsonl': log() } }],
  ['an override', { input: { overridden: true }, files: { 'replay.override.json': '[{"kind":"hang"}]' } }],
])('an agent that reports no replay of %s fails the run', async (_, staged) => {
  expect(await failureOf({ agent: 'echo', ...staged })).toContain(
    'the replay: the fixture holds answers of the model, and the agent reported no replay of them. ' +
      'Start it with llm-replay in place of its model, and give llm-replay {{fixture}} and {{report}}\n',
  )
})

test('all reported failures are shown, with the entries that were not requested', async () => {
  const failed = ['turn 3 step 1: no entry', 'turn 4 step 1: no entry'].map((message) => ({ type: 'failed', message }))
  expect(await failureOf(reporting(served(0), ...failed))).toMatch(
    /^scenario x, the replay: turn 3 step 1: no entry\nturn 4 step 1: no entry\nsession 0 has 2 model calls/,
  )
})

test('a report that cannot be parsed fails the run, and the error names the line', async () => {
  expect(await failureOf(reporting(served(0), { type: 'odd' }))).toMatch(
    /^scenario x, the replay: replay report: line 3 is not one of its lines: \{"type":"odd"\}\n/,
  )
})

test('a recording has no script, so its report is not read', async () => {
  await run({ ...reporting(), steps: [], live: { env: {} } })
})

test('the error of a failed step also shows the failures that the replay reported', async () => {
  const failed = { type: 'failed', message: 'turn 1 step 1: no entry' }
  const staged = reporting(failed)
  const unknown = { op: 'setConfigOption', configId: 'none', value: 'none' }
  expect(await failureOf({ ...staged, steps: [...(staged.steps ?? []), unknown] })).toMatch(
    /^scenario x, step 4 \(setConfigOption\): .*\n.*\n\nThe replay failed too:\n {2}turn 1 step 1: no entry\n\nThe last of/,
  )
})

describe('a report is refused:', () => {
  const dir = mkdtempSync(join(tmpdir(), 'report-'))
  afterAll(() => rmSync(dir, { recursive: true }))

  test.each([
    ['a FIFO', 'is a FIFO', (path: string) => void execFileSync('mkfifo', [path])],
    ['a link out of the run', 'leads out of', (path: string) => symlinkSync('/etc/hosts', path)],
    ['a link to a device', 'leads out of', (path: string) => symlinkSync('/dev/zero', path)],
    ['torn', 'line 1 is torn', (path: string) => writeFileSync(path, '{"type":"served"')],
  ])('%s', (name, problem, make) => {
    const path = join(dir, name)
    make(path)
    expect(() => replayProblems(path, { isRecorded: false })).toThrow(problem)
  })
})
