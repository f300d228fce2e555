import { clearUp, plugin, startAgent } from '@acp-snapshot/testing/start-agent'

afterAll(clearUp)

const live = [
  { disable: { id: 'replay', name: '@acp-snapshot/llm-replay' } },
  { insert: { id: 'model', name: plugin('other-model.mjs') } },
]

async function promptWith(patches: object[]) {
  const agent = await startAgent({ patches })
  await agent.initialize()
  return agent.prompt(await agent.newSession(), 'Hello.')
}

test('a live call that does not match the log fails its turn, even though the model answers', async () => {
  const response = await promptWith([...live, { insert: { id: 'forgets', name: plugin('forgets.mjs') } }])
  const message = expect.stringContaining(
    'turn 1 step 1 sends what its log does not say: messages[0]: expected {"role"',
  )
  expect(response).toMatchObject({ error: { code: -32603, message } })
})

test('a live call that matches the log is answered', async () => {
  await expect(promptWith(live)).resolves.toMatchObject({ result: { stopReason: 'end_turn' } })
})
