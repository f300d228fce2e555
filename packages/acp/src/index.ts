import type {} from '@cordisjs/loader'
import type { Context } from 'cordis'
import * as z from 'zod'
import { Bridge } from './bridge.ts'
import { serveStdio } from './stdio.ts'

export { streamSessionEventUpdate } from './projection.ts'

export const name = 'acp'
export const inject = ['agents', 'tools']

/** `agent`: the `agentInfo` in the response to `initialize`. */
export const Config = z.strictObject({
  agent: z.strictObject({ name: z.string(), version: z.string() }),
})

/** Serves ACP on stdin and stdout, backed by `ctx.agents`. */
export function apply(ctx: Context, config: z.infer<typeof Config>): void {
  const { agents, tools } = ctx
  const bridge = new Bridge(agents, tools, config.agent)
  ctx.on('session/event', (session, event) => bridge.project(session, event))
  // Wait until all plugins are loaded: a session created before that would not be persisted.
  const server = (ctx.get('loader')?.await() ?? Promise.resolve()).then(() => serveStdio(bridge.app()))
  ctx.on('exit', async () => (await server).settle())
  ctx.effect(() => async () => (await server).close(), 'acp/stdio')
}
