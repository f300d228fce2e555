import type {} from '@cordisjs/loader'
import type { Context } from 'cordis'

/** How long disposing all plugins may take. */
const DISPOSE_MS = 3000

/**
 * Ends the process when stdin ends, or on SIGTERM or SIGINT: it answers pending requests and disposes all plugins,
 * which flushes their logs. It exits with code 1 if a pipe to the editor breaks, or a plugin does not dispose in time.
 */
export function disposeAtEnd(ctx: Context): void {
  let stopping = false
  const stop = (code: number, problem?: unknown) => {
    if (stopping) return
    stopping = true
    if (problem) complain(problem)
    void dispose(ctx, code)
  }
  process.stdin.once(
    'end',
    () =>
      void ctx.parallel('exit', 'SIGHUP').then(
        () => stop(0),
        (error) => stop(1, error),
      ),
  )
  process.stdin.on('error', (error) => stop(1, error))
  process.stdin.resume()
  process.stdout.on('error', () => stop(1))
  process.once('SIGTERM', () => stop(128 + 15))
  process.once('SIGINT', () => stop(128 + 2))
}

async function dispose(ctx: Context, code: number): Promise<void> {
  setTimeout(() => {
    complain(`a plugin did not dispose within ${DISPOSE_MS} ms`)
    process.exit(1)
  }, DISPOSE_MS)
  try {
    await ctx.fiber.dispose()
    process.exit(code)
  } catch (error) {
    complain(error)
    process.exit(1)
  }
}

function complain(problem: unknown): void {
  process.stderr.write(`acp-agent: ${problem instanceof Error ? problem.message : problem}\n`)
}
