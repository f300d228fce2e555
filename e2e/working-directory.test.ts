import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { LlmServer, ServerAnswer } from '@acp-snapshot/llm-server'
import { ProjectCopy } from '@acp-snapshot/testing/project-copy'
import { recordEnv, withServer } from './support/record.ts'
import { expectGreen, snapshot } from './support/snapshot-run.ts'

const project = new ProjectCopy()
afterEach(() => project.restore())
afterAll(() => project.remove())

const scenario = '__fixtures__/tool-call-turn'

test('{{cwd}} in a recorded command becomes the directory of the replay', async () => {
  for (const file of ['input.json', 'session.jsonl', 'stdout.golden.jsonl']) {
    project.rewrite(join(scenario, file), (text) =>
      text.replaceAll('SNAPSHOT_OK', '{{cwd}}').replaceAll(/\becho\b/g, 'ls -d'),
    )
  }
  expect(project.readFixtures()['tool-call-turn/session.jsonl']).toContain(
    '"arguments":"{\\"command\\":\\"ls -d {{cwd}}\\"',
  )
  expectGreen(await project.jest([...snapshot('tool-call-turn'), '--ci']))
})

test.each([
  ['in one piece', (cwd: string) => [cwd]],
  ['letter by letter', (cwd: string) => [...cwd]],
])('an answer that names the working directory %s replays in another directory', async (_, cut) => {
  const script = (cwd: string) => [listing(cwd, cut(cwd)), 'DONE']
  const run = await withServer({ script: [] }, (server) =>
    withForesight(server, script, (url) => project.jest(snapshot('tool-call-turn'), recordEnv({ url }))),
  )
  expectGreen(run)
  const log = project.readFixtures()['tool-call-turn/session.jsonl']
  expect(log).toContain('"text":"I look into {{cwd}}."')
  expect(log).toContain('"content":[{"type":"text","text":"{{cwd}}\\n"}]')
  expectGreen(await project.jest([...snapshot('tool-call-turn'), '--ci']))
})

/** A call of bash that lists a directory. The model streams its path in these pieces. */
function listing(cwd: string, pieces: string[]): ServerAnswer {
  const call = { id: 'call_00', name: 'bash' }
  const command = ['{"command":"ls -d ', ...pieces, '","description":"List it"}']
  return {
    kind: 'chunks',
    chunks: [
      { type: 'text-delta', index: 0, text: `I look into ${cwd}.` },
      ...command.map((argumentsDelta) => ({ type: 'tool-call-delta' as const, index: 1, ...call, argumentsDelta })),
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } },
      { type: 'finish', reason: { kind: 'tool-calls' } },
    ],
  }
}

/** A proxy before the provider: it takes the working directory from the first request, and sets the script with it. */
async function withForesight<T>(
  server: LlmServer,
  script: (cwd: string) => ServerAnswer[],
  use: (url: string) => Promise<T>,
): Promise<T> {
  const proxy = createServer(async (request, response) => {
    const body = await text(request)
    const cwd = /in the directory (.*?)\.\\n/.exec(body)?.[1] ?? ''
    if (server.requests.length === 0) server.enqueue(...script(cwd))
    const answer = await fetch(`${server.url}${request.url}`, {
      method: 'POST',
      body,
      headers: { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' },
    })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.end(await answer.text())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  try {
    return await use(`http://127.0.0.1:${address.port}`)
  } finally {
    proxy.closeAllConnections()
    proxy.close()
  }
}
