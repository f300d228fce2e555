import type {} from '@cordisjs/loader'
import type { Context } from 'cordis'
import * as z from 'zod'
import { Bridge } from './bridge.ts'
import { serveStdio } from './stdio.ts'

export { streamSessionEventUpdate } from './projection.ts'

export const name = 'acp'
export const inject = ['agents', 'tools']

/** `agent`: what `initialize` says of the agent. */
export const Config = z.strictObject({
  agent: z.strictObject({ name: z.string(), version: z.string() }),
})

/** Speaks ACP on stdin and stdout: ACP methods on one side, `ctx.agents` on the other. */
export function apply(ctx: Context, config: z.infer<typeof Config>): void {
  const { agents, tools } = ctx
  const bridge = new Bridge(agents, tools, config.agent)
  ctx.on('session/event', (session, event) => bridge.project(session, event))
  // The editor is answered once all plugins stand: until then a session would be made without its persistence.
  const server = (ctx.get('loader')?.await() ?? Promise.resolve()).then(() => serveStdio(bridge.app()))
  ctx.on('exit', async () => (await server).settle())
  ctx.effect(() => async () => (await server).close(), 'acp/stdio')
}
