import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deriveReplayScript, isEvent, type ParsedLog, parseReplayReport, type StreamChunk } from '@acp-snapshot/session'
import { begins, runs, says } from '@acp-snapshot/testing/answers'
import { type Agent, clearUp, newPlace, plugin, startAgent } from '@acp-snapshot/testing/start-agent'

afterEach(clearUp)

test('a command with a path in the working directory of the recording runs in the working directory of the session', async () => {
  const place = newPlace()
  writeFileSync(join(place.cwd, 'a.txt'), 'found\n')
  const agent = await startAgent({ place, replay: [runs(['cat {{cwd}}/a.txt']), says('It is in {{cwd}}.')] })
  await agent.initialize()
  const id = await agent.newSession()
  await agent.prompt(id, 'Read it.')
  expect(agent.logged(id, 'tool/result')).toMatchObject([{ content: [{ text: 'found\n' }] }])
  expect(agent.updates(id).at(-1)).toBe(`agent_message_chunk It is in ${place.cwd}.`)
})

test('a model call beyond the end of the script fails its prompt, and is written to the report', async () => {
  const agent = await startAgent({ replay: [says('one')] })
  await agent.initialize()
  const id = await agent.newSession()
  await agent.prompt(id, 'One.')
  const message = expect.stringContaining('replay: session 0, turn 2 step 1 asks for model call 2')
  await expect(agent.prompt(id, 'Two.')).resolves.toMatchObject({ error: { code: -32603, message } })
  expect(parseReplayReport(readFileSync(agent.place.report, 'utf8')).at(-1)).toEqual({ type: 'failed', message })
})

test('an agent starts without a log, and its model call fails with the missing file and how to record it', async () => {
  const agent = await startAgent()
  await agent.initialize()
  const id = await agent.newSession()
  const log = join(agent.place.root, 'fixture', 'session.jsonl')
  const message = `replay: session 0, turn 1 step 1 asks for model call 1, but ${log} is missing; record the scenario with RECORD=1`
  await expect(agent.prompt(id, 'One.')).resolves.toMatchObject({ error: { message: `Internal error: ${message}` } })
  expect(parseReplayReport(readFileSync(agent.place.report, 'utf8')).at(-1)).toEqual({ type: 'failed', message })
})

test('the log of an agent that retried a model call replays to the same chunks', async () => {
  const again = [{ insert: { id: 'again', name: plugin('tries-again.mjs') } }]
  const replay = [
    { kind: 'throw' as const, chunks: begins('Well'), message: 'cut', code: 'INCOMPLETE' },
    says('Well, yes.'),
  ]
  const first = await startAgent({ patches: again, replay })
  const recorded = await chunksOf(first)
  expect(recorded.chunks.filter((chunk) => chunk.type === 'block-start')).toHaveLength(2)

  const second = await startAgent({ patches: again, replay: deriveReplayScript(recorded.log) })
  expect((await chunksOf(second)).chunks).toEqual(recorded.chunks)
})

async function chunksOf(agent: Agent): Promise<{ log: ParsedLog; chunks: StreamChunk[] }> {
  await agent.initialize()
  const id = await agent.newSession()
  await expect(agent.prompt(id, 'One.')).resolves.toMatchObject({ result: { stopReason: 'end_turn' } })
  const log = agent.log(id)
  return { log, chunks: log.events.flatMap((event) => (isEvent(event, 'assistant/chunk') ? [event.data.chunk] : [])) }
}
