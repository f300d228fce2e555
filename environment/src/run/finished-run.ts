import type { Transcript, Volatile } from 'jest-serializer-acp'
import type { LogFormat } from '../logs/log-format.ts'
import type { HarvestedLog } from '../logs/order-logs.ts'
import type { Scenario } from '../scenario/scenario.ts'

/** The result of a run, once the agent has exited. */
export interface FinishedRun {
  scenario: Scenario
  transcript: Transcript
  /** The step during which each frame came, from 1. */
  frameSteps: readonly number[]
  logs: readonly HarvestedLog[]
  logFormat: LogFormat
  /** The values that change on every run, as far as they are known. */
  volatile: Volatile
  /** The agent's working directory. It is removed when the run settles. */
  cwd: string
  stderr: string
  /** The agent's requests that the client answered with "Method not found", one line for each step and method. */
  refused: readonly string[]
  /** Removes the secrets that the agent was started with: it may have printed them. */
  withoutSecrets: (text: string) => string
}

/** Reads something from a finished run, before the run's directories are removed. */
export interface Collector {
  /** Its name in failure messages. */
  title: string
  collect(run: FinishedRun): unknown
}

/** A finished run, and the value that each collector returned. */
export interface ScenarioRun<C extends Collector = Collector> extends FinishedRun {
  captures: readonly { surface: C; value: unknown }[]
}

export interface RunOptions<C extends Collector = Collector> {
  /** Runs against the real model, with these additional variables, such as the API key. */
  live?: { env: Record<string, string> } | undefined
  /** Stops the run. */
  signal: AbortSignal
  /** The format of the agent's session logs. Required when `sessionLogs` in the options names a module. */
  logFormat?: LogFormat | undefined
  /** What to collect from the run. */
  collectors?: readonly C[] | undefined
}
