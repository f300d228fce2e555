import { failureOf, prompt, run, START, type Staged } from './support.ts'

const options = { sessionLogs: true, env: { SESSIONS: '{{sessions}}' } }

async function idsOf(staged: Partial<Staged>): Promise<string[]> {
  const { logs } = await run({ agent: 'puppet', options, ...staged })
  return logs.logs.map((text) => JSON.parse(text.split('\n')[0] ?? '').id)
}

const child = (id: string, createdAt: number) =>
  `append $SESSIONS/${id}.jsonl ${JSON.stringify({ type: 'session', version: 0, id, createdAt, cwd: '/w' })}`

test('logs are gathered wherever they lie: the sessions of the script first, then the others by creation', async () => {
  const steps = [...START, prompt(child('z', 5), child('a', 7), child('b', 0)), { op: 'newSession', as: 'second' }]
  expect(await idsOf({ input: { steps } })).toEqual(['session-1', 'session-2', 'b', 'z', 'a'])
})

test('an agent that keeps no logs has none', async () => {
  expect(await idsOf({ options: { ...options, sessionLogs: false } })).toEqual([])
  expect(await idsOf({ options: { sessionLogs: true } })).toEqual([])
})

test('other files under the sessions root are no logs', async () => {
  expect(await idsOf({ steps: [prompt('append $SESSIONS/index.json {')] })).toEqual(['session-1'])
})

test('a log that the agent left broken fails the run, and is named with its line', async () => {
  const steps = [prompt('append $SESSIONS/logs/session-1.jsonl {"type":"turn/start","seq":4,"time":0,"data":{}}')]
  expect(await failureOf({ agent: 'puppet', options, steps })).toMatch(
    /^scenario x, the session logs: expected session logs that can be read\n {2}got {6}logs\/session-1\.jsonl:2: expected seq 0, got 4\n\nThe last of 3 frames:\n/,
  )
})
