import * as fs from 'node:fs'
import os from 'node:os'
import { dirname, join } from 'node:path'
import { agentFile } from '@acp-snapshot/testing/agent-file'
import { processesIn } from '@acp-snapshot/testing/processes'
import { readScenario } from '../../src/guard/read-scenario.ts'
import { parseOptions } from '../../src/options.ts'
import type { SurfaceRun } from '../../src/record/printed-run.ts'
import { runScenario } from '../../src/run/run-scenario.ts'
import { surfaces } from '../../src/surfaces/surfaces.ts'
import { HEADER } from '../guard/fixtures.ts'

/** A scenario to be run against one of the agents of `testing`. */
export interface Staged {
  /** The name of the agent's file, without `.mjs`. */
  agent: string
  /** What follows initialize and newSession, unless `input` has steps of its own. */
  steps?: object[]
  /** The `clientCapabilities` of that initialize. */
  capabilities?: object
  /** More of `input.json`. */
  input?: object
  /** More files of the fixture, or other ones. `undefined` takes one away. */
  files?: Record<string, string | undefined>
  /** More of `testEnvironmentOptions.acp`. */
  options?: object
  live?: { env: Record<string, string> }
  signal?: AbortSignal
}

/** The client's capabilities for files. */
export const FILES = { fs: { readTextFile: true, writeTextFile: true } }

export const START = [{ op: 'initialize' }, { op: 'newSession' }]

let temp: string

beforeEach(() => {
  temp = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), 'run-test-')))
  fs.mkdirSync(join(temp, 'workplaces'))
  jest.spyOn(os, 'tmpdir').mockReturnValue(join(temp, 'workplaces'))
})

// After each run no process and no directory of it is there any more.
afterEach(() => {
  jest.restoreAllMocks()
  const left = { directories: fs.readdirSync(join(temp, 'workplaces')), processes: processesIn(temp) }
  fs.rmSync(temp, { recursive: true })
  expect(left).toEqual({ directories: [], processes: [] })
})

/** Runs a scenario as the environment does. */
export async function run(staged: Staged): Promise<SurfaceRun> {
  const { agent, live, signal = new AbortController().signal } = staged
  const dir = writeFixture(staged)
  const command = { command: process.execPath, args: [agentFile(agent)] }
  const options = parseOptions({ ...command, sessionLogs: false, ...staged.options }, join(__dirname, '..'))
  return runScenario(readScenario(dir), options, { live, signal, collectors: surfaces })
}

/** The message of a run that fails. */
export async function failureOf(staged: Staged): Promise<string> {
  const outcome = await run(staged).catch((error: unknown) => error)
  if (!(outcome instanceof Error)) throw new Error('the run did not fail')
  return outcome.message.replaceAll(temp, '<temp>')
}

/** What the agent said in its updates, in order. */
export function textsOf({ transcript }: SurfaceRun): string[] {
  return transcript.frames.flatMap((frame) => {
    const text: unknown = JSON.parse(frame).params?.update?.content?.text
    return typeof text === 'string' ? [text] : []
  })
}

export function prompt(...orders: string[]): object {
  return { op: 'prompt', text: orders.join('\n') }
}

function writeFixture({ steps = [], capabilities, input = {}, files = {} }: Staged): string {
  const dir = join(temp, 'fixtures', 'x')
  const [initialize, ...rest] = START
  const start = [{ ...initialize, ...(capabilities && { clientCapabilities: capabilities }) }, ...rest]
  const all = {
    'input.json': JSON.stringify({ steps: [...start, ...steps], ...input }),
    'session.jsonl': HEADER,
    ...files,
  }
  for (const [name, text] of Object.entries(all)) {
    if (text === undefined) continue
    fs.mkdirSync(dirname(join(dir, name)), { recursive: true })
    fs.writeFileSync(join(dir, name), text)
  }
  return dir
}
