import { says } from '@acp-snapshot/testing/answers'
import { clearUp, failedStart, newPlace, startAgent } from '@acp-snapshot/testing/start-agent'
import { copySources } from './source-copy.ts'

// Puts each of the two defects of the incident report back into a copy of the sources. Each must show up where an editor
// would meet it: with the real bin, the real Loader, and a real session.

afterEach(clearUp)

function freshCopy() {
  const place = newPlace()
  const { edit, bin, config } = copySources(place)
  return { edit, options: { place, replay: [says('OK')], bin, config } }
}

/** Creates a session with one turn, and loads it in a new process. */
async function loadInFreshProcess(options: Parameters<typeof startAgent>[0]) {
  const first = await startAgent(options)
  await first.initialize()
  const id = await first.newSession()
  await first.prompt(id, 'Say OK.')
  await first.end()
  const second = await startAgent(options)
  await second.initialize()
  return second.load(id)
}

test('a default export beside the named ones drops `inject`, and the start fails with the error of the incident', async () => {
  const { edit, options } = freshCopy()
  edit('acp/src/index.ts', "export const name = 'acp'", "export const name = 'acp'\nexport default apply")
  const { exit, stderr } = await failedStart(options)
  expect(exit).toEqual({ code: 1, signal: null })
  expect(stderr).toBe(
    `acp-agent: ${options.config}: plugin @acp-snapshot/acp (id acp) failed: cannot get property "agents" without inject\n`,
  )
})

test('an optional service read as a property fails session/load with the error of the incident', async () => {
  const { edit, options } = freshCopy()
  edit('agent/src/loop.ts', 'this.persistence()?.open(id)', 'this.ctx.sessionPersistence.open(id)')
  await expect(loadInFreshProcess(options)).resolves.toEqual({
    error: { code: -32603, message: 'Internal error: cannot get property "sessionPersistence" without inject' },
  })
})

test('without the two defects, the same steps succeed', async () => {
  const { options } = freshCopy()
  await expect(loadInFreshProcess(options)).resolves.toEqual({ result: {} })
})
