import type { ToolSchema } from '@acp-snapshot/llm'
import { type Context, Service } from 'cordis'
import { type BoundTool, bindTool, type CallHandler, unknownTool } from './bind.ts'
import type { ToolCall, ToolContext, ToolOutcome } from './call.ts'
import type { CallPresentation, ResultPresentation } from './presentation.ts'
import type { Tool } from './tool.ts'

export type { ToolCall, ToolContext, ToolOutcome } from './call.ts'
export type { CallPresentation, PresentedContent, ResultPresentation } from './presentation.ts'
export type { Tool } from './tool.ts'

declare module 'cordis' {
  interface Context {
    tools: Tools
  }
}

/** `ctx.tools`: the tools that the model may call. */
export class Tools extends Service {
  // Not a `#field`: Cordis calls a service through a proxy, which cannot access private fields.
  private readonly registry = new Map<string, { tool: BoundTool; plugin: string }>()

  constructor(ctx: Context) {
    super(ctx, 'tools')
  }

  /**
   * Adds a tool. It is removed when the calling plugin is disposed.
   *
   * @throws Error when a tool of that name is already registered
   */
  register<Args>(tool: Tool<Args>): void {
    const { ctx, registry } = this
    ctx.effect(
      () => {
        const other = registry.get(tool.name)
        if (other) throw new Error(`tool ${JSON.stringify(tool.name)} is already registered by plugin ${other.plugin}`)
        registry.set(tool.name, { tool: bindTool(tool), plugin: ctx.fiber.name })
        return () => registry.delete(tool.name)
      },
      `ctx.tools.register(${JSON.stringify(tool.name)})`,
    )
  }

  /** The tools as the model sees them, sorted by name, so that their order does not depend on the order of loading. */
  schemas(): ToolSchema[] {
    return this.names().flatMap((name) => this.registry.get(name)?.tool.schema() ?? [])
  }

  /**
   * Runs a call. A mistake of the model, an error that the tool throws and an abort are outcomes with `isError`;
   * `error.code` is `UNKNOWN_TOOL`, `BAD_JSON`, `BAD_ARGUMENTS`, `FAILED`, `ABORTED`, or the tool's own.
   */
  execute(call: ToolCall, context: ToolContext): Promise<ToolOutcome> {
    return this.handler(call).execute(call, context)
  }

  /** How an editor shows a call. The default is the tool's name and the arguments. */
  presentCall(call: ToolCall): CallPresentation {
    return this.handler(call).presentCall(call)
  }

  /** How an editor shows an outcome. The default is its text, unchanged. */
  presentResult(call: ToolCall, outcome: ToolOutcome): ResultPresentation {
    return this.handler(call).presentResult(call, outcome)
  }

  private handler(call: ToolCall): CallHandler {
    return this.registry.get(call.name)?.tool ?? unknownTool(this.names())
  }

  private names(): string[] {
    return [...this.registry.keys()].sort()
  }
}

export const name = 'tools'

export function apply(ctx: Context): void {
  new Tools(ctx)
}
