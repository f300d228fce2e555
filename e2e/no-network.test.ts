import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LlmServer } from '@acp-snapshot/llm-server'
import { ProjectCopy } from '@acp-snapshot/testing/project-copy'
import { KEY, withServer } from './support/record.ts'
import { expectGreen, snapshot } from './support/snapshot-run.ts'

const project = new ProjectCopy()
const envFile = join(project.dir, '.env')
afterEach(() => {
  project.restore()
  rmSync(envFile, { force: true })
})
afterAll(() => project.remove())

test('a replay does not contact the provider, even when key and URL are set', async () => {
  await withProvider(async (server, env) => {
    expectGreen(await project.jest([...snapshot('text-turn', 'tool-call-turn'), '--ci'], env))
    expect(server.connections).toBe(0)
  })
})

test('a replay that needs more answers than recorded fails, and does not contact the provider', async () => {
  const [last, more] = [
    '"text": "Reply with exactly the word: PONG. Do not use any tools."\n    }',
    '"text": "Once more."\n    }',
  ]
  project.edit('__fixtures__/text-turn/input.json', last, `${last},\n    {\n      "op": "prompt",\n      ${more}`)
  await withProvider(async (server, env) => {
    const run = await project.jest([...snapshot('text-turn'), '--ci'], env)
    expect(run).toMatchObject({
      status: 1,
      output: expect.stringContaining('turn 2 step 1 asks for model call 2, but'),
    })
    expect(server.connections).toBe(0)
  })
})

test('a replay without its override fails, and does not contact the provider', async () => {
  rmSync(join(project.fixtures, 'error-before-stream', 'replay.override.json'))
  project.edit('__fixtures__/error-before-stream/input.json', '"overridden": true', '"overridden": false')
  await withProvider(async (server, env) => {
    const run = await project.jest([...snapshot('error-before-stream'), '--ci'], env)
    expect(run).toMatchObject({ status: 1, output: expect.stringContaining("the model's answer never finishes") })
    expect(server.connections).toBe(0)
  })
})

test('the same variables with RECORD=1 contact the provider', async () => {
  await withProvider(async (server, env) => {
    expectGreen(await project.jest(snapshot('text-turn'), { ...env, RECORD: '1' }))
    expect(server.connections).toBe(1)
  })
})

test('a recording reads from .env what the environment does not set', async () => {
  await withProvider(async (server) => {
    expectGreen(await project.jest(snapshot('text-turn'), { RECORD: '1' }))
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  })
})

/** Starts the provider. Both `.env` and `env` have its URL and a key. */
function withProvider(use: (server: LlmServer, env: Record<string, string>) => Promise<void>): Promise<void> {
  return withServer({ script: ['PONG'] }, async (server) => {
    const env = { DEEPSEEK_API_KEY: KEY, DEEPSEEK_BASE_URL: server.url }
    const entries = Object.entries(env).map(([name, value]) => `${name}=${value}\n`)
    writeFileSync(envFile, entries.join(''))
    await use(server, env)
  })
}
