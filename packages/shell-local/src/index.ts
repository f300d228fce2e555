import { type RunOptions, Shell, type ShellResult } from '@acp-snapshot/shell'
import type { Context } from 'cordis'
import * as z from 'zod'
import { killLiveGroups } from './process-group.ts'
import { run } from './run.ts'

/** The longest delay of a timer, in milliseconds. */
const MAX_DELAY_MS = 2 ** 31 - 1

/** The default limits of a command: its time in milliseconds, and its output in bytes of UTF-8. */
export const Config = z
  .strictObject({
    timeoutMs: z.int().positive().max(MAX_DELAY_MS).default(120_000),
    maxOutputBytes: z.int().positive().default(30_000),
  })
  .prefault({})

/** Runs commands on this machine. */
class LocalShell extends Shell {
  private readonly limits: z.infer<typeof Config>
  private readonly disposal = new AbortController()
  private readonly running = new Set<Promise<ShellResult>>()

  constructor(ctx: Context, limits: z.infer<typeof Config>) {
    super(ctx)
    this.limits = limits
    ctx.effect(() => () => this.stop(), 'shell-local: stop running commands')
    ctx.effect(() => {
      process.on('exit', killLiveGroups)
      return () => process.off('exit', killLiveGroups)
    }, 'shell-local: kill process groups on exit')
  }

  async run(command: string, options: RunOptions): Promise<ShellResult> {
    const signal = AbortSignal.any([options.signal, this.disposal.signal])
    const result = run(command, { ...this.limits, ...options, signal })
    this.running.add(result)
    try {
      return await result
    } finally {
      this.running.delete(result)
    }
  }

  private async stop(): Promise<void> {
    this.disposal.abort()
    await Promise.allSettled(this.running)
  }
}

export const name = 'shell-local'

export function apply(ctx: Context, config: z.infer<typeof Config>): void {
  new LocalShell(ctx, config)
}
