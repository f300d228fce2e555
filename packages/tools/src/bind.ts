import type { ToolSchema } from '@acp-snapshot/llm'
import * as z from 'zod'
import { failure, type ToolCall, type ToolContext, type ToolOutcome } from './call.ts'
import { parseArguments } from './parse-arguments.ts'
import { type CallPresentation, genericCall, plainResult, type ResultPresentation } from './presentation.ts'
import type { Tool } from './tool.ts'

/** Executes and presents the calls of one tool. */
export interface CallHandler {
  execute(call: ToolCall, context: ToolContext): Promise<ToolOutcome>
  presentCall(call: ToolCall): CallPresentation
  presentResult(call: ToolCall, outcome: ToolOutcome): ResultPresentation
}

/** A tool that validates its own arguments, so that its callers need not know their type. */
export interface BoundTool extends CallHandler {
  schema(): ToolSchema
}

/** Validates the arguments before each method of a tool. */
export function bindTool<Args>(tool: Tool<Args>): BoundTool {
  let schema: ToolSchema | undefined
  return {
    schema() {
      schema ??= toSchema(tool)
      return schema
    },
    async execute(call, context) {
      if (context.signal.aborted) return aborted()
      const parsed = parseArguments(call, tool.parameters)
      return parsed.ok ? run(tool, parsed.args, context) : parsed.outcome
    },
    presentCall(call) {
      const parsed = parseArguments(call, tool.parameters)
      return (parsed.ok && tool.presentCall?.(parsed.args)) || genericCall(call)
    },
    presentResult(call, outcome) {
      const parsed = parseArguments(call, tool.parameters)
      return (parsed.ok && tool.presentResult?.(parsed.args, outcome)) || plainResult(outcome)
    },
  }
}

/** Answers a call of an unknown tool. `known` lists the names that the model may use. */
export function unknownTool(known: readonly string[]): CallHandler {
  const hint = known.length === 0 ? 'There are no tools.' : `The tools are: ${known.join(', ')}.`
  return {
    execute: async (call) => failure('UNKNOWN_TOOL', `There is no tool named ${JSON.stringify(call.name)}. ${hint}`),
    presentCall: genericCall,
    presentResult: (_call, outcome) => plainResult(outcome),
  }
}

/** The schema of the arguments before defaults are filled in. It omits `$schema`, which some providers reject. */
function toSchema<Args>({ name, description, parameters }: Tool<Args>): ToolSchema {
  const { $schema, ...schema } = z.toJSONSchema(parameters, { io: 'input' })
  return { name, description, parameters: schema }
}

async function run<Args>(tool: Tool<Args>, args: Args, context: ToolContext): Promise<ToolOutcome> {
  try {
    return await tool.execute(args, context)
  } catch (error) {
    if (context.signal.aborted) return aborted()
    if (!(error instanceof Error)) return failure('FAILED', String(error))
    return failure('FAILED', error.message || error.name, error.name)
  }
}

function aborted(): ToolOutcome {
  return failure('ABORTED', 'aborted')
}
