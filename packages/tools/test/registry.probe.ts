import { Context } from 'cordis'
import * as z from 'zod'
import * as toolsPlugin from '../src/index.ts'
import type { Tool } from '../src/tool.ts'

/** What the model sees of the registry while plugins are loaded and disposed. */
async function main(): Promise<void> {
  const root = new Context()
  const errors: string[] = []
  root.on('internal/error', (error: unknown) => {
    errors.push(error instanceof Error ? error.message : String(error))
  })
  await root.plugin(toolsPlugin)

  await root.plugin(registers('late', 'zebra'))
  const early = await root.plugin(registers('early', 'ant'))
  const sorted = await names(root)

  const rival = root.plugin(registers('rival', 'zebra'))
  await rival.await().catch(() => undefined)

  await early.dispose()
  const afterDisposal = await names(root)
  const call = { callId: '1', name: 'ant', arguments: '{}' }
  const context = { cwd: '/', signal: new AbortController().signal, sessionId: 's' }
  const gone = await root.tools.execute(call, context)

  await root.plugin(registers('heir', 'ant'))
  const answer = await root.tools.execute(call, context)
  process.stdout.write(JSON.stringify({ sorted, errors, afterDisposal, gone, answer }))
}

/** A plugin that registers one tool, which answers with the plugin's name. */
function registers(plugin: string, tool: string) {
  const definition: Tool<object> = {
    name: tool,
    description: `the tool of ${plugin}`,
    parameters: z.strictObject({}),
    execute: async () => ({ content: [{ type: 'text', text: plugin }], isError: false }),
  }
  return { name: plugin, inject: ['tools'], apply: (ctx: Context) => ctx.tools.register(definition) }
}

/** Reads from inside a plugin, as an agent does: the root context has more access than a plugin. */
async function names(root: Context): Promise<string[]> {
  const read: string[] = []
  const reader = (ctx: Context) => {
    read.push(...ctx.tools.schemas().map((schema) => schema.name))
  }
  const fiber = await root.plugin({ name: 'reader', inject: ['tools'], apply: reader })
  await fiber.dispose()
  return read
}

void main()
