import { tmpdir } from 'node:os'
import * as shellLocal from '@acp-snapshot/shell-local'
import * as tools from '@acp-snapshot/tools'
import { Context } from 'cordis'
import * as toolBash from '../src/index.ts'

/** The bash tool as an agent uses it: through `ctx.tools`, with a real shell behind it. */
async function main(): Promise<void> {
  const root = new Context()
  root.on('internal/error', (error: unknown) => console.error(error))
  root.plugin(toolBash)
  await root.plugin(tools)
  const shell = await root.plugin(shellLocal, shellLocal.Config.parse({ timeoutMs: 60_000 }))

  const schemas = await inPlugin(root, async (ctx) => ctx.tools.schemas())
  const calls = await inPlugin(root, async (ctx) => ({
    fails: await call(ctx, { command: 'echo out; echo err >&2; exit 3', description: 'Print and fail' }),
    slow: await call(ctx, { command: 'echo begun; sleep 1000', description: 'Sleep', timeoutMs: 200 }),
    tooSlow: await call(ctx, { command: 'true', description: 'Nothing', timeoutMs: 600_001 }),
    undescribed: await call(ctx, { command: 'true' }),
  }))
  await shell.dispose()
  const withoutShell = await inPlugin(root, async (ctx) => ctx.tools.schemas())
  process.stdout.write(JSON.stringify({ schemas, calls, withoutShell }))
}

async function call(ctx: Context, args: object) {
  const made = { callId: 'c', name: 'bash', arguments: JSON.stringify(args) }
  const signal = new AbortController().signal
  const outcome = await ctx.tools.execute(made, { cwd: tmpdir(), signal, sessionId: 's' })
  return { call: ctx.tools.presentCall(made), outcome, result: ctx.tools.presentResult(made, outcome) }
}

/** Calls `use` in a plugin that injects the tools, as the agent does: the root context has more access than a plugin. */
async function inPlugin<T>(root: Context, use: (ctx: Context) => Promise<T>): Promise<T> {
  const used = new Promise<T>((resolve, reject) => {
    root.plugin({ name: 'user', inject: ['tools'], apply: (ctx: Context) => use(ctx).then(resolve, reject) })
  })
  return used
}

void main()
