import { normalizeTranscript } from 'jest-serializer-acp'
import { run } from './support.ts'

const background = (session: string) => ({ op: 'prompt', session, text: 'go', background: true })
const STEPS = [
  { op: 'initialize' },
  { op: 'newSession', as: 'a' },
  { op: 'newSession', as: 'b' },
  background('a'),
  background('b'),
  { op: 'waitForPrompt', session: 'a' },
  { op: 'waitForPrompt', session: 'b' },
  background('b'),
  background('a'),
  { op: 'waitForPrompt', session: 'a' },
  { op: 'waitForPrompt', session: 'b' },
]

test('two concurrent sessions give the same golden for every order of their frames', async () => {
  const goldens = new Set<string>()
  const arrivals = new Set<string>()
  for (let seed = 1; seed <= 12; seed++) {
    const options = { env: { SEED: String(seed) } }
    const { transcript, frameSteps } = await run({ agent: 'mixes', input: { steps: STEPS }, options })
    goldens.add(normalizeTranscript(transcript.frames, transcript.volatile).join('\n'))
    arrivals.add(frameSteps.join())
  }
  expect([...goldens]).toHaveLength(1)
  const [golden = ''] = goldens
  const told = golden.split('\n').map((line) => {
    const { id, params } = JSON.parse(line)
    return params?.update?.content?.text ?? params?.update?.sessionUpdate ?? (params ? `ask ${id}` : id)
  })
  const commands = 'available_commands_update'
  expect(told).toEqual([
    1,
    2,
    3,
    ...['a', 'b', 'c', 'd', 'ask 1', 4, commands],
    ...['a', 'b', 'c', 'd', 'ask 2', 5, commands],
    ...['a', 'b', 'c', 'd', 'ask 3', 6, commands],
    ...['a', 'b', 'c', 'd', 'ask 4', 7, commands],
  ])
})
