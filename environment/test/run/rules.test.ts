import { normalizeTranscript } from 'jest-serializer-acp'
import type { SurfaceRun } from '../../src/record/printed-run.ts'
import { proposeRules } from '../../src/stable/propose.ts'
import { prompt, run } from './support.ts'

const COMMANDS = `update ${JSON.stringify({ sessionUpdate: 'available_commands_update', availableCommands: [] })}`
const SESSIONS = { env: { SESSIONS: '{{sessions}}' }, sessionLogs: true }

const linesOf = ({ transcript }: SurfaceRun) => normalizeTranscript(transcript.frames, transcript.volatile)
const kindsOf = (run: SurfaceRun) =>
  linesOf(run).map((line) => {
    const { id, params } = JSON.parse(line)
    return id ?? params.update.sessionUpdate
  })

test('an unordered update follows the opening of its session, wherever the agent sends it', async () => {
  const options = { ...SESSIONS, normalize: { unordered: ['available_commands_update'] } }
  const goldens = new Set<string>()
  for (const orders of [
    [COMMANDS, 'say a', 'say b'],
    ['say a', COMMANDS, 'say b'],
    ['say a', 'say b', COMMANDS],
  ]) {
    goldens.add(linesOf(await run({ agent: 'puppet', steps: [prompt(...orders)], options })).join('\n'))
  }
  expect(goldens.size).toBe(1)
})

test('an unordered update of a loaded session follows the response of session/load', async () => {
  const options = { ...SESSIONS, normalize: { unordered: ['available_commands_update'] } }
  const steps = [{ op: 'restart' }, { op: 'initialize' }, { op: 'loadSession' }, prompt('say a', COMMANDS)]
  const made = await run({ agent: 'puppet', steps, options })
  expect(kindsOf(made)).toEqual([1, 2, 3, 4, 'available_commands_update', 'agent_message_chunk', 5])
})

test('a difference names the step of its frame although frames were joined', async () => {
  const steps = [prompt('say a', 'say b', 'say c'), prompt('say d')]
  const made = await run({ agent: 'puppet', steps, options: { normalize: { on: ['chunks'] } } })
  const [capture] = made.captures
  if (!capture) throw new Error('no transcript')
  const printed = capture.surface.print(capture.value, { serialize: () => linesOf(made).join('\n') })
  const [[file = '', text = ''] = []] = printed
  const expected = new Map([[file, String(text).replace('"d"', '"e"')]])
  const mismatch = capture.surface.compare(capture.value, { scenario: made.scenario, expected, printed })
  expect(kindsOf(made)).toEqual([1, 2, 'agent_message_chunk', 3, 'agent_message_chunk', 4])
  expect(mismatch?.first?.place).toBe('frame 5 (step 4, prompt)')
})

test('the rules apply to the session log of the fixture as to that of the run', async () => {
  const log = '{"type":"x","seq":0,"time":0,"data":{"durationMs":5,"text":"build-1"}}'
  const steps = [prompt(`append $SESSIONS/logs/session-1.jsonl ${log}`)]
  const normalize = { off: ['durations'], add: [{ name: 'build', match: 'build-\\d', token: 'build' }] }
  const made = await run({ agent: 'puppet', steps, options: { ...SESSIONS, normalize } })
  const capture = made.captures.find(({ surface }) => surface.title === 'session logs')
  if (!capture) throw new Error('no session logs')
  const printed = capture.surface.print(capture.value, { serialize: String })
  const [[file = '', text = ''] = []] = printed
  expect(text).toContain('"data":{"durationMs":5,"text":"{{build}}"}')
  const compare = (golden: string) =>
    capture.surface.compare(capture.value, { scenario: made.scenario, expected: new Map([[file, golden]]), printed })
  expect(compare(String(text))).toBeUndefined()
  expect(compare(String(text).replace('"durationMs":5', '"durationMs":6'))).toBeDefined()
})

test('the proposed rules make real runs of an agent equal', async () => {
  const runs: SurfaceRun[] = []
  for (const orders of [
    ['say build-$UUID', COMMANDS, 'say b'],
    ['say build-$UUID', 'say b', COMMANDS],
  ]) {
    runs.push(await run({ agent: 'puppet', steps: [prompt(...orders)], options: SESSIONS }))
  }
  const { rules, remaining } = proposeRules(runs.map(({ transcript }) => transcript))
  expect(remaining).toEqual([])
  expect(rules).toMatchObject({ unordered: ['available_commands_update'], add: [{ token: 'uuid' }] })
  const texts = runs.map(({ transcript: { frames, volatile } }) => normalizeTranscript(frames, { ...volatile, rules }))
  expect(texts[1]).toEqual(texts[0])
})
