import { inspect } from 'node:util'
import type { AgentCommand } from './agent-command.ts'
import type { Probe } from './probe-agent.ts'

/** The options that the config gives the agent: what `init` was told, and what it found out. */
export interface FirstOptions extends AgentCommand {
  env?: Record<string, string>
  exit?: 'sigterm'
}

/** The name of the first scenario. */
export const FIRST_SCENARIO = 'handshake'

/** The text of the Jest config: the preset, and how the agent is started. */
export function configText(acp: FirstOptions): string {
  const value = { preset: 'jest-environment-acp', testEnvironmentOptions: { acp } }
  return `export default ${inspect(value, { depth: null, breakLength: 100, compact: 1, maxArrayLength: null, maxStringLength: null })}\n`
}

/** The text of the first `input.json`: what every editor does first. @param schema the path of the JSON Schema */
export function scenarioText({ refusal }: Pick<Probe, 'refusal'>, schema: string | undefined): string {
  const newSession = refusal ? { op: 'newSessionExpectError', code: refusal.code } : { op: 'newSession' }
  const description = refusal
    ? 'An editor connects. The agent refuses a session.'
    : 'An editor connects and opens a session.'
  const steps = [{ op: 'initialize' }, newSession]
  return `${JSON.stringify({ ...(schema !== undefined && { $schema: schema }), description, steps }, null, 2)}\n`
}
