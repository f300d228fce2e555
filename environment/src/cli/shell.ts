import { UsageError } from '../usage-error.ts'

/** What a command needs from its process. */
export interface Shell {
  cwd: string
  env: NodeJS.ProcessEnv
  /** Prints a line of the result. */
  out: (line: string) => void
  /** Prints a line about a problem. */
  err: (line: string) => void
}

/** The exit codes of all commands. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const

/** Ends a command: `message` goes to stderr. `usage` for a mistake in the command line, `failed` for a negative result. */
export class CommandError extends UsageError {
  override name = 'CommandError'
  readonly code: number

  constructor(message: string, code: number = EXIT.failed) {
    super(message)
    this.code = code
  }
}
