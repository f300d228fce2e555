import { agentFile } from '@acp-snapshot/testing/agent-file'
import { configText, type FirstOptions, scenarioText } from '../../src/cli/first-files.ts'
import { probeAgent } from '../../src/cli/probe-agent.ts'
import { parseOptions } from '../../src/options.ts'

const probe = (agent: string, deadlines = {}) =>
  probeAgent(parseOptions({ command: process.execPath, args: [agentFile(agent)], deadlines }, __dirname))

test('an agent that opens a session and exits at the end of stdin', async () => {
  expect(await probe('echo')).toEqual({
    agent: 'an agent that does not say its name',
    refusal: undefined,
    authMethods: [],
    exitProblem: undefined,
  })
})

test('an agent that refuses a session: its error, its name and its ways to sign in', async () => {
  expect(await probe('refuses')).toEqual({
    agent: 'refuses 1.2.3',
    refusal: { code: -32000, message: 'Authentication required' },
    authMethods: ['login (Sign in)'],
    exitProblem: undefined,
  })
})

test('an agent that does not exit at the end of stdin', async () => {
  expect((await probe('stays', { exitMs: 200 })).exitProblem).toContain('stopped with SIGTERM')
})

test.each([
  ['silent', { stepMs: 200 }, /^timed out after 200 ms waiting for the answer to initialize\n\n/],
  ['noisy', {}, /only JSON-RPC messages on stdout/],
])('the agent %s is an error', async (agent, deadlines, problem) => {
  await expect(probe(agent, deadlines)).rejects.toThrow(problem)
})

test('the config is JavaScript that starts the agent', () => {
  const acp: FirstOptions = { command: "it's", args: ['<rootDir>/a.mjs', '\n"'], env: { A: '1' }, exit: 'sigterm' }
  const text = configText(acp).replace('export default', 'return')
  expect(new Function(text)()).toEqual({ preset: 'jest-environment-acp', testEnvironmentOptions: { acp } })
})

test('the scenario expects the refusal that the agent gave', () => {
  expect(JSON.parse(scenarioText({ refusal: undefined }, undefined)).steps).toEqual([
    { op: 'initialize' },
    { op: 'newSession' },
  ])
  const refused = JSON.parse(scenarioText({ refusal: { code: -32000, message: 'no' } }, '../schema.json'))
  expect(refused).toMatchObject({
    $schema: '../schema.json',
    steps: [{ op: 'initialize' }, { op: 'newSessionExpectError', code: -32000 }],
  })
})
