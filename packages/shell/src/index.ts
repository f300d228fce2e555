import { type Context, Service } from 'cordis'

/** How a command is run. */
export interface RunOptions {
  /** Absolute path. */
  cwd: string
  /** Ends the command, and everything it started. */
  signal: AbortSignal
  /** After so many milliseconds the command is ended. Left out: the executor's own limit. */
  timeoutMs?: number
  /** How many bytes of UTF-8 are kept of the output. Left out: the executor's own limit. */
  maxOutputBytes?: number
  /** Variables on top of the executor's own. */
  env?: Readonly<Record<string, string>>
}

/** What a command came to. */
export interface ShellResult {
  /** stdout and stderr, interleaved as they came. */
  output: string
  /** `null` when a signal ended the shell, or it was never started. */
  exitCode: number | null
  /** The signal that ended the shell, as `SIGTERM`. */
  signal: string | null
  /** The time-out that held, in milliseconds. */
  timeoutMs: number
  timedOut: boolean
  /** Whether `output` is only the beginning of what the command wrote. */
  truncated: boolean
  /** How many bytes of UTF-8 the command wrote, the cut ones included. */
  outputBytes: number
  aborted: boolean
}

declare module 'cordis' {
  interface Context {
    shell: Shell
  }
}

/** `ctx.shell`: runs commands, wherever its provider runs them. */
export abstract class Shell extends Service {
  constructor(ctx: Context) {
    super(ctx, 'shell')
  }

  /**
   * Runs one command in a fresh shell, without input. Resolves once it has ended, and nothing that it started runs on.
   * A failed command, a time-out and an abort are results.
   *
   * @throws Error when no shell can be started there
   */
  abstract run(command: string, options: RunOptions): Promise<ShellResult>
}
