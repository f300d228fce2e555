import type { Transcript, Volatile } from 'jest-serializer-acp'
import type { LogFormat } from '../logs/log-format.ts'
import type { HarvestedLog } from '../logs/order-logs.ts'
import type { Scenario } from '../scenario/scenario.ts'

/** What a run left behind once the agent has exited. */
export interface FinishedRun {
  scenario: Scenario
  transcript: Transcript
  /** The step during which each frame came, from 1. */
  frameSteps: readonly number[]
  logs: readonly HarvestedLog[]
  logFormat: LogFormat
  /** What the run is known to have made up. */
  volatile: Volatile
  /** The agent's working directory. It goes when the run settles. */
  cwd: string
  stderr: string
}

/** Takes something of a finished run, before the run's directories go. */
export interface Collector {
  /** What a failure calls it. */
  title: string
  collect(run: FinishedRun): unknown
}

/** A finished run, and what each collector took of it. */
export interface ScenarioRun<C extends Collector = Collector> extends FinishedRun {
  captures: readonly { surface: C; value: unknown }[]
}

export interface RunOptions<C extends Collector = Collector> {
  /** Runs against the real model, with these variables besides: the key. */
  live?: { env: Record<string, string> } | undefined
  /** Stops a run that is under way. */
  signal: AbortSignal
  /** How the agent's session logs are read, where `sessionLogs` in the options names a module. */
  logFormat?: LogFormat | undefined
  /** What is taken of the run. */
  collectors?: readonly C[] | undefined
}
