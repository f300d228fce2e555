import type { Shell } from '@acp-snapshot/shell'
import type { Tool } from '@acp-snapshot/tools'
import type { Context } from 'cordis'
import * as z from 'zod'
import { toOutcome } from './outcome.ts'
import { presentCommand, presentOutput } from './present.ts'

const parameters = z.strictObject({
  command: z.string().min(1).describe('The command to run.'),
  description: z.string().min(1).describe('What the command does, in 5 to 10 words.'),
  timeoutMs: z
    .int()
    .positive()
    .max(600_000)
    .optional()
    .describe('The time limit in milliseconds. Omit it to use the default limit.'),
})

type BashArgs = z.infer<typeof parameters>

const description = [
  'Runs a command in bash and returns its output, stdout and stderr together.',
  'Each call starts a new shell in the working directory of the session: only changes to files carry over to the next',
  'call. Commands get no input. Background processes are killed when the command ends.',
  'If a command fails, the last line of the result is "[exit code: N]".',
].join(' ')

export const name = 'tool-bash'

export const inject = ['tools', 'shell']

export function apply(ctx: Context): void {
  ctx.tools.register(bashTool(ctx.shell))
}

function bashTool(shell: Shell): Tool<BashArgs> {
  return {
    name: 'bash',
    description,
    parameters,
    execute: async ({ command, timeoutMs }, { cwd, signal }) =>
      toOutcome(await shell.run(command, { cwd, signal, ...(timeoutMs && { timeoutMs }) })),
    presentCall: presentCommand,
    presentResult: (_args, outcome) => presentOutput(outcome),
  }
}
