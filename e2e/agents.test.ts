import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentFile } from '@acp-snapshot/testing/agent-file'
import { processesIn, untilNone } from '@acp-snapshot/testing/processes'
import { ProjectCopy } from '@acp-snapshot/testing/project-copy'
import { childEnv, createWorkplace, guardGroup, withDeadline } from 'jest-environment-acp/child'
import { expectStatus, runCommand } from './support/shell.ts'

/** Says what the model answers to each prompt. Writes a file when it calls the model. */
const AGENT = `import { writeFileSync } from 'node:fs'
import { send, serve } from './acp.mjs'

serve({
  before: ({ id, method, params }) => {
    if (method === 'session/prompt') answer(id, params)
    return method === 'session/prompt'
  },
})

async function answer(id, { sessionId, prompt }) {
  writeFileSync(process.env.CALLED, '')
  const body = JSON.stringify({ model: 'any', messages: [{ role: 'user', content: prompt[0].text }] })
  const response = await fetch(process.env.MODEL_URL + '/v1/chat/completions', { method: 'POST', body })
  const text = (await response.json()).choices?.[0].message.content ?? 'no answer'
  send({ method: 'session/update', params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } } })
  send({ id, result: { stopReason: 'end_turn' } })
}
`

const CONFIG = `export default {
  preset: 'jest-environment-acp',
  testEnvironmentOptions: {
    acp: {
      command: 'node',
      args: ['<rootDir>/node_modules/tiny-agent/index.mjs'],
      passes: ['MODEL_URL', 'CALLED'],
      deadlines: { stepMs: 600_000 },
    },
  },
  transform: { '\\\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/../../../tsconfig.jest.json' }] },
}
`

/** Shorter than the scenario would wait for the model. */
const LONGEST_END_MS = 120_000

const INPUT = { description: '', steps: [{ op: 'initialize' }, { op: 'newSession' }, { op: 'prompt', text: 'Go.' }] }

const GOLDEN = [
  { jsonrpc: '2.0', id: 1, result: { protocolVersion: 1, agentCapabilities: {} } },
  { jsonrpc: '2.0', id: 2, result: { sessionId: '{{sessionId}}' } },
  {
    jsonrpc: '2.0',
    method: 'session/update',
    params: {
      sessionId: '{{sessionId}}',
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'PONG' } },
    },
  },
  { jsonrpc: '2.0', id: 3, result: { stopReason: 'end_turn' } },
]
  .map((frame) => `${JSON.stringify(frame)}\n`)
  .join('')

const project = new ProjectCopy()
const place = createWorkplace()
const agents = join(project.dir, 'examples', 'agents')
const called = join(place.cwd, 'called')

beforeAll(() => {
  addAgent('tiny', 'file:agent')
  addScenario('tiny', 'changed', '["PANG"]')
  addScenario('tiny', 'good', '["PONG"]')
  addScenario('tiny', 'hang', '[{ "fault": "stall" }]')
  addScenario('tiny', 'more-answers', '["PONG", "PONG again"]')
  addScenario('tiny', 'no-answer', '[]', GOLDEN.replace('PONG', 'no answer'))
  addScenario('tiny', 'wrong-script', '["PONG", {}]')
  addAgent('absent', 'file:no-such-file.tgz')
  addScenario('absent', 'good', '["PONG"]')
})
afterAll(() => {
  project.remove()
  place.remove()
})

test('an agent is installed on first use, and a run that is equal to the golden passes', async () => {
  const run = await npm('run agents -- tiny --scenario good --runs 2')
  expectStatus(0, run)
  expect(run.output).toContain(`npm install in ${join(agents, 'tiny')}\n`)
  expect(run.output).toMatch(/\nagent +good\ntiny +2\/2 [\d.]+s\n/)

  const again = await npm('run agents -- tiny --scenario good --update')
  expectStatus(0, again)
  expect(again.output).not.toContain('npm install in')
  expect(readFileSync(join(agents, 'tiny', '__fixtures__', 'good', 'stdout.golden.jsonl'), 'utf8')).toBe(GOLDEN)
})

test.each([
  ['tiny', 'changed', 'scenario changed: the transcript differs from stdout.golden.jsonl'],
  ['tiny', 'more-answers', /\S+more-answers\.json: no request took answer 1 \(counted from 0\)/],
  [
    'tiny',
    'no-answer',
    /llm-server: answered POST \/v1\/chat\/completions with 500: got call 1, but the script has only 0 ans/,
  ],
  ['tiny', 'wrong-script', /\S+wrong-script\.json: answer 1: expected a text, a replay entry or a fault/],
  ['absent', 'good', `npm install in ${join(agents, 'absent')} failed:`],
])('%s %s fails, and the table names it', async (agent, scenario, message) => {
  const run = await npm(`run agents -- ${agent} --scenario ${scenario}`)
  expectStatus(1, run)
  expect(run.output).toMatch(new RegExp(`\nagent +${scenario}\n${agent} +0/1 [\\d.]+s\n${agent} ${scenario}: `))
  const [, named = ''] = run.output.split(`\n${agent} ${scenario}: `)
  expect(named).toEqual(typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message))
})

test.each(['Ctrl-C', 'SIGTERM'])('%s ends the agent and Jest, and leaves no process', async (signal) => {
  const watcher = watch(place.cwd)
  const calls = once(watcher, 'change')
  const command = ['-r', 'esbuild-register', '-e', "require('./examples/agents/run.ts')", '--', 'tiny']
  const child = spawn(process.execPath, [...command, '--scenario', 'hang'], {
    cwd: project.dir,
    env: childEnv({ CALLED: called }, place),
    detached: true,
    stdio: 'ignore',
  })
  const pid = child.pid ?? 0
  const release = guardGroup(pid)
  const ended = once(child, 'close')
  await calls
  watcher.close()
  // A terminal sends SIGINT to the whole group.
  if (signal === 'Ctrl-C') process.kill(-pid, 'SIGINT')
  else child.kill('SIGTERM')
  expect(await withDeadline(ended, LONGEST_END_MS, 'the end of npm run agents')).toEqual([130, null])
  release()
  await untilNone(() => processesIn(project.dir))
})

function addAgent(name: string, source: string): void {
  const dir = join(agents, name)
  write(join(dir, 'package.json'), JSON.stringify({ name, private: true, dependencies: { 'tiny-agent': source } }))
  write(join(dir, 'jest.config.mjs'), CONFIG)
  write(join(dir, 'agent', 'package.json'), JSON.stringify({ name: 'tiny-agent', version: '1.0.0' }))
  write(join(dir, 'agent', 'index.mjs'), AGENT)
  copyFileSync(agentFile('lib/acp'), join(dir, 'agent', 'acp.mjs'))
}

function addScenario(agent: string, name: string, script: string, golden = GOLDEN): void {
  const dir = join(agents, agent)
  write(join(dir, '__fixtures__', name, 'input.json'), JSON.stringify(INPUT))
  write(join(dir, '__fixtures__', name, 'stdout.golden.jsonl'), golden)
  write(join(dir, 'model', `${name}.json`), script)
}

function write(file: string, text: string): void {
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, text)
}

function npm(args: string) {
  return runCommand(`npm ${args}`, { dir: project.dir, place, env: { CALLED: called } })
}
