import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OverrideEntry } from '@acp-snapshot/session'
import { childEnv, createWorkplace, type Exit, type Workplace } from 'jest-environment-acp/child'
import { Agent } from './agent.ts'

export type { Agent }

const BIN = require.resolve('@acp-snapshot/boot/bin')
const PLUGINS = join(__dirname, '..', 'plugins')

/** The config of the agent that `startAgent` starts. */
export const AGENT_CONFIG = join(__dirname, '..', 'agent.yml')

const workplaces: Workplace[] = []
const agents: Agent[] = []

/** Kills all agents that still run, and removes their directories. Call it in `afterEach` or `afterAll`. */
export async function clearUp(): Promise<void> {
  for (const { process } of agents) process.signal('SIGKILL')
  await Promise.all(agents.splice(0).map(({ process }) => process.exited))
  for (const workplace of workplaces.splice(0)) workplace.remove()
}

/** Creates temp directories for one agent, or for several that run one after another. */
export function newPlace(): Workplace {
  const place = createWorkplace()
  workplaces.push(place)
  return place
}

/** The path of one of the plugins in `plugins/`, each with one fault or habit. */
export function plugin(name: string): string {
  return join(PLUGINS, name)
}

/** Writes a config file into the workplace. An object is written as JSON, which is valid YAML. */
export function writeConfig(place: Workplace, config: string | object, name = 'config.yml'): string {
  const file = join(place.root, name)
  writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config))
  return file
}

interface StartOptions {
  place?: Workplace
  /** The model's script. */
  replay?: OverrideEntry[]
  /** Changes to `agent.yml`. */
  patches?: object[]
  /** A config file to use instead of `agent.yml`. */
  config?: string
  bin?: string
  env?: Record<string, string>
  /** A command that starts the agent: it gets the agent's whole command line as further arguments. */
  through?: [command: string, ...args: string[]]
}

/** Starts the agent in a child process. */
export async function startAgent(options: StartOptions = {}): Promise<Agent> {
  const { place = newPlace(), replay, patches, env = {}, bin = BIN } = options
  const fixture = join(place.root, 'fixture')
  if (replay) {
    mkdirSync(fixture, { recursive: true })
    writeFileSync(join(fixture, 'replay.override.json'), JSON.stringify(replay))
  }
  const config = options.config ?? (patches ? writeConfig(place, { include: AGENT_CONFIG, patches }) : AGENT_CONFIG)
  const paths = { TEST_FIXTURE: fixture, TEST_REPORT: place.report, TEST_SESSIONS: place.sessions }
  return spawn(place, [...(options.through ?? []), process.execPath, bin, '--config', config], { ...paths, ...env })
}

/** Starts the agent's bin with these arguments. */
export function startBin(args: string[], place = newPlace(), env: Record<string, string> = {}): Promise<Agent> {
  return spawn(place, [process.execPath, BIN, ...args], env)
}

async function spawn(place: Workplace, commandLine: string[], env: Record<string, string>): Promise<Agent> {
  const [command = '', ...args] = commandLine
  const agent = await Agent.spawn(place, command, args, childEnv(env, place))
  agents.push(agent)
  return agent
}

/** Starts an agent that fails to start, and returns its exit and output. */
export async function failedStart(options: StartOptions): Promise<{ exit: Exit; stderr: string; stdout: string[] }> {
  const agent = await startAgent(options)
  const exit = await agent.exit()
  return { exit, stderr: agent.stderr, stdout: agent.lines.map(({ text }) => text) }
}
