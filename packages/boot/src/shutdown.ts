import type {} from '@cordisjs/loader'
import type { Context } from 'cordis'

/** Ends the process when stdin does, or on a signal: what is due is answered, every plugin disposed and flushed. */
export function disposeAtEnd(ctx: Context): void {
  process.stdin.once('end', () => void end(ctx, 0))
  process.stdin.resume()
  process.once('SIGTERM', () => void stop(ctx, 128 + 15))
  process.once('SIGINT', () => void stop(ctx, 128 + 2))
  process.stdout.on('error', () => void stop(ctx, 1))
}

async function end(ctx: Context, code: number): Promise<void> {
  await ctx.parallel('exit', 'SIGHUP')
  await stop(ctx, code)
}

async function stop(ctx: Context, code: number): Promise<void> {
  try {
    await ctx.fiber.dispose()
    process.exit(code)
  } catch (error) {
    process.stderr.write(`acp-agent: ${error instanceof Error ? error.stack : error}\n`)
    process.exit(1)
  }
}
