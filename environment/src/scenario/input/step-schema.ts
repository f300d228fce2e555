import * as z from 'zod'

/** One step of a scenario's script. */
export type Step = z.infer<typeof stepSchema>

/** The step with the op `Op`. */
export type StepOf<Op extends Step['op']> = Extract<Step, { op: Op }>

/** A content block of ACP's `session/prompt`. Only its `type` is checked: the agent under test judges the rest. */
const contentBlock = z.looseObject({ type: z.string().describe('text, image, audio, resource_link, resource …') })

const name = z.string().min(1)
const session = name
  .describe('The name of a session. Steps without a name use the first session that has none.')
  .optional()
const sessionId = z
  .string()
  .describe('The id of a session that no step opened. Cannot be combined with "session".')
  .optional()
const code = z.int().describe('The expected JSON-RPC error code. Default: any code.').optional()

const sessionParams = {
  cwd: z.string().describe('The working directory of the session. Default: the directory of the run.').optional(),
  additionalDirectories: z.array(z.string()).describe('Further root directories of the workspace.').optional(),
  mcpServers: z.array(z.looseObject({})).describe('MCP servers, in the format of session/new.').optional(),
}

const prompt = {
  text: z.string().describe('The prompt, as one text block. A prompt has either "text" or "content".').optional(),
  content: z.array(contentBlock).describe('The prompt, as ACP content blocks.').optional(),
}
const textOrContent = { oneOf: [{ required: ['text'] }, { required: ['content'] }] }
const sessionOrId = { not: { required: ['session', 'sessionId'] } }

const stepSchemas = [
  step('initialize', 'Sends initialize. The first step of a script, and the first one after a restart.', {
    protocolVersion: z.int().describe('The requested protocol version.').optional(),
    clientCapabilities: z.looseObject({}).describe('The capabilities that the client offers.').optional(),
  }),
  step('newSession', 'Sends session/new.', {
    as: name.describe('The name by which later steps refer to the session.').optional(),
    ...sessionParams,
  }),
  step('newSessionExpectError', 'Sends session/new, and expects an error.', { ...sessionParams, code }),
  step('loadSession', 'Sends session/load.', { session }),
  step('loadSessionExpectError', 'Sends session/load, and expects an error.', { session, sessionId, code }).meta(
    sessionOrId,
  ),
  step('prompt', 'Sends session/prompt, and waits until its turn ends.', {
    ...prompt,
    session,
    background: z
      .boolean()
      .describe('Goes on without waiting. A later waitForPrompt step waits for the end of the turn.')
      .optional(),
  }).meta(textOrContent),
  step('promptExpectError', 'Sends session/prompt, and expects an error.', {
    ...prompt,
    session,
    sessionId,
    code,
  }).meta({ ...textOrContent, ...sessionOrId }),
  step('promptAndCancel', 'Sends session/prompt, and then session/cancel while the turn runs.', {
    ...prompt,
    session,
    after: z
      .enum(['message', 'thought', 'toolCall', 'permission', 'nothing'])
      .describe(
        "When to send session/cancel: after the turn's first message chunk, thought chunk, tool call or permission " +
          'request, or at once ("nothing"). Default: after the first message, thought, tool call or plan.',
      )
      .optional(),
    stopReason: z
      .string()
      .describe('The stop reason to expect; "cancelled", as ACP requires, when left out.')
      .optional(),
  }).meta(textOrContent),
  step('cancel', 'Sends session/cancel.', { session }),
  step('waitForPrompt', "Waits for the end of the session's background prompt.", {
    session,
    stopReason: z.string().describe('The expected stop reason: end_turn, cancelled … Default: any.').optional(),
  }),
  step('waitForUpdate', 'Waits for a session/update.', {
    session,
    update: z.string().describe('The value of "sessionUpdate": agent_message_chunk, tool_call …'),
    text: z.string().describe('A text that the content of the update must contain.').optional(),
  }),
  step('settle', 'Waits until the agent has sent nothing for a while.', {
    ms: z
      .number()
      .positive()
      .describe('The length of the silence in milliseconds. Default: settleMs of the options.')
      .optional(),
  }),
  step('setMode', 'Sends session/set_mode.', { modeId: z.string().describe('The id of the mode.'), session }),
  step('setConfigOption', 'Sends session/set_config_option.', {
    configId: z.string().describe('The id of the option.'),
    value: z.string().describe('The id of the new value.'),
    session,
  }),
  step(
    'restart',
    'Ends the agent, and starts a new process that has the same sessions. The next step must be initialize.',
    {},
  ),
] as const

export const stepSchema = z.discriminatedUnion('op', stepSchemas)

/** The keys that a step may have beside `op`, by op. */
export const stepKeys: ReadonlyMap<unknown, readonly string[]> = new Map(
  stepSchemas.map(({ shape }) => [shape.op.value, Object.keys(shape).filter((key) => key !== 'op')]),
)

function step<const Op extends string, Keys extends z.ZodRawShape>(op: Op, description: string, keys: Keys) {
  return z.strictObject({ op: z.literal(op).describe(description), ...keys })
}
