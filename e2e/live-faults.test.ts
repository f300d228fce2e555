import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EventContract } from '@acp-snapshot/invariants/contract'
import type { ServerAnswer } from '@acp-snapshot/llm-server'
import { isEvent, parseSessionLog } from '@acp-snapshot/session'
import { acp } from 'acp-agent-example/snapshot-options'
import { createWorkplace } from 'jest-environment-acp/child'
import { parseOptions, runScenario, type ScenarioRun } from 'jest-environment-acp/run'
import { readScenario } from 'jest-environment-acp/scenario'
import { FAULTS, idleTimeoutOf } from './support/faults.ts'
import { KEY, withServer } from './support/record.ts'

const ROOT = join(__dirname, '..')
const LIVE_CONFIG = require.resolve('acp-agent-example/cordis.yml')

test.each(FAULTS)('live: $fault fails the prompt, and the next prompt works', async ({ answer, told }) => {
  const run = await converse(
    [answer, 'Back again.'],
    [
      { op: 'promptExpectError', text: 'Do it.', code: -32603 },
      { op: 'prompt', text: 'And now?' },
    ],
    idleTimeoutOf(answer),
  )
  expect(answersTo(run)).toEqual([
    { error: { code: -32603, message: expect.stringContaining(told) } },
    { result: { stopReason: 'end_turn' } },
  ])
  expect(turnEnds(run)).toEqual(['error', 'completed'])
})

test('live: an answer cut at the token limit gives a stop reason, and the next prompt works', async () => {
  const cut: ServerAnswer = {
    kind: 'chunks',
    chunks: [
      { type: 'text-delta', index: 0, text: 'Half of' },
      { type: 'finish', reason: { kind: 'max-tokens' } },
    ],
  }
  const run = await converse(
    [cut, 'Back again.'],
    [
      { op: 'prompt', text: 'Do it.' },
      { op: 'prompt', text: 'And now?' },
    ],
  )
  expect(answersTo(run)).toEqual([{ result: { stopReason: 'max_tokens' } }, { result: { stopReason: 'end_turn' } }])
  expect(turnEnds(run)).toEqual(['max-tokens', 'completed'])
})

test('live: a cancel ends a stalled answer at once, and the next prompt works', async () => {
  const run = await converse(
    [{ fault: 'stall', said: 'Half of' }, 'Back again.'],
    [
      { op: 'promptAndCancel', text: 'Do it.' },
      { op: 'prompt', text: 'And now?' },
    ],
  )
  expect(answersTo(run)).toEqual([{ result: { stopReason: 'cancelled' } }, { result: { stopReason: 'end_turn' } }])
  expect(turnEnds(run)).toEqual(['aborted', 'completed'])
})

/** Runs steps in one session of one live agent, against a provider with this script. */
async function converse(script: ServerAnswer[], steps: object[], idleTimeoutMs = 60_000): Promise<ScenarioRun> {
  const place = createWorkplace()
  const fixture = join(place.root, 'fixtures', 'live')
  const config = join(place.root, 'config.yml')
  mkdirSync(fixture, { recursive: true })
  const input = { steps: [{ op: 'initialize' }, { op: 'newSession' }, ...steps] }
  writeFileSync(join(fixture, 'input.json'), JSON.stringify(input))
  try {
    return await withServer({ script }, (server) => {
      const provider = { apiKey: KEY, baseURL: server.url, idleTimeoutMs }
      const replace = { id: 'deepseek', name: '@acp-snapshot/llm-deepseek', config: provider }
      writeFileSync(config, JSON.stringify({ include: LIVE_CONFIG, patches: [{ replace }] }))
      const args = ['<rootDir>/packages/boot/bin/acp-agent.mjs', '--config', config]
      const options = parseOptions({ ...acp, record: { args } }, ROOT)
      const signal = new AbortController().signal
      return runScenario(readScenario(fixture, { action: 'record' }), options, { live: { env: {} }, signal })
    })
  } finally {
    place.remove()
  }
}

/** The responses to the prompts. */
function answersTo({ transcript }: ScenarioRun): unknown[] {
  const frames = transcript.frames.map((frame) => JSON.parse(frame))
  return frames.filter(({ id }) => id > 2).map(({ jsonrpc, id, ...answer }) => answer)
}

/** The reasons why the turns of the session log ended. Also checks the log against the event contract. */
function turnEnds({ logs }: ScenarioRun): string[] {
  const { events } = parseSessionLog(logs[0]?.text ?? '', 'the log')
  const contract = new EventContract('live')
  for (const event of events) contract.check(event)
  expect(events.at(-1)?.type).toBe('turn/end')
  return events.flatMap((event) => (isEvent(event, 'turn/end') ? [event.data.reason.kind] : []))
}
