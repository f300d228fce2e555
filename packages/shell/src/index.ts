import { type Context, Service } from 'cordis'

/** Options for one command. */
export interface RunOptions {
  /** Absolute path. */
  cwd: string
  /** Aborting it stops the command and every process that it started. */
  signal: AbortSignal
  /** The time limit in milliseconds. Default: the executor's own limit. */
  timeoutMs?: number
  /** The size of the output that is kept, in bytes of UTF-8. Default: the executor's own limit. */
  maxOutputBytes?: number
  /** Variables to add to the executor's own environment. */
  env?: Readonly<Record<string, string>>
}

/** The result of a command. */
export interface ShellResult {
  /** stdout and stderr, in the order in which they were written. */
  output: string
  /** `null` when a signal ended the shell, or when the shell was not started. */
  exitCode: number | null
  /** The signal that ended the shell, such as `SIGTERM`. */
  signal: string | null
  /** The time limit that applied, in milliseconds. */
  timeoutMs: number
  timedOut: boolean
  /** Whether `output` is only the beginning of the command's output. */
  truncated: boolean
  /** The size of the whole output, in bytes of UTF-8. */
  outputBytes: number
  aborted: boolean
}

declare module 'cordis' {
  interface Context {
    shell: Shell
  }
}

/**
 * `ctx.shell`: runs commands. A package of its own, because `shell-local` is not to remain its only provider: a sandbox is
 * planned.
 */
export abstract class Shell extends Service {
  constructor(ctx: Context) {
    super(ctx, 'shell')
  }

  /**
   * Runs one command in a new shell, without input. Resolves when the command and every process that it started have
   * ended. A failed command, a time-out and an abort are results, not errors.
   *
   * @throws Error when the shell cannot be started in `cwd`
   */
  abstract run(command: string, options: RunOptions): Promise<ShellResult>
}
