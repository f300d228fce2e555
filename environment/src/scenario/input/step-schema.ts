import * as z from 'zod'

/** One step of a scenario's script. */
export type Step = z.infer<typeof stepSchema>

/** The step with the op `Op`. */
export type StepOf<Op extends Step['op']> = Extract<Step, { op: Op }>

/** A content block of ACP's `session/prompt`. Only its `type` is checked: the agent under test judges the rest. */
const contentBlock = z.looseObject({ type: z.string().describe('text, image, audio, resource_link, resource …') })

const name = z.string().min(1)
const session = name.describe('The name of the session. The first session of a scenario needs none.').optional()
const sessionId = z
  .string()
  .describe('A literal session id, for one that no step made. Not beside "session".')
  .optional()
const code = z.int().describe('The JSON-RPC error code to expect; any when left out.').optional()

const sessionParams = {
  cwd: z.string().describe("The working directory to ask for; the run's own directory when left out.").optional(),
  additionalDirectories: z.array(z.string()).describe('More workspace roots.').optional(),
  mcpServers: z.array(z.looseObject({})).describe('MCP servers, as session/new takes them.').optional(),
}

const prompt = {
  text: z.string().describe('The prompt, as one text block. Exactly one of "text" and "content".').optional(),
  content: z.array(contentBlock).describe('The prompt, as ACP content blocks.').optional(),
}
const textOrContent = { oneOf: [{ required: ['text'] }, { required: ['content'] }] }
const sessionOrId = { not: { required: ['session', 'sessionId'] } }

const stepSchemas = [
  step('initialize', 'Sends initialize. First in the script, and first after a restart.', {
    protocolVersion: z.int().describe('The protocol version to ask for.').optional(),
    clientCapabilities: z.looseObject({}).describe('What the client says that it can do.').optional(),
  }),
  step('newSession', 'Sends session/new.', {
    as: name.describe('Names the session, so that later steps can say which one they mean.').optional(),
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
    background: z.boolean().describe('Does not wait: a later waitForPrompt does.').optional(),
  }).meta(textOrContent),
  step('promptExpectError', 'Sends session/prompt, and expects an error.', {
    ...prompt,
    session,
    sessionId,
    code,
  }).meta({ ...textOrContent, ...sessionOrId }),
  step('promptAndCancel', 'Sends session/prompt, then session/cancel once the turn is under way.', {
    ...prompt,
    session,
    after: z
      .enum(['message', 'thought', 'toolCall', 'permission', 'nothing'])
      .describe(
        "What must have come before session/cancel is sent: the turn's first message chunk, thought chunk, tool call or " +
          'permission request, or nothing. When left out: the first message, thought, tool call or plan.',
      )
      .optional(),
    stopReason: z
      .string()
      .describe('The stop reason to expect; "cancelled", as ACP requires, when left out.')
      .optional(),
  }).meta(textOrContent),
  step('cancel', 'Sends session/cancel.', { session }),
  step('waitForPrompt', 'Waits until the background prompt of the session ends.', {
    session,
    stopReason: z.string().describe('The stop reason to expect: end_turn, cancelled …; any when left out.').optional(),
  }),
  step('waitForUpdate', 'Waits for a session/update.', {
    session,
    update: z.string().describe('The kind, as "sessionUpdate" says it: agent_message_chunk, tool_call …'),
    text: z.string().describe('A piece of text that its content must hold.').optional(),
  }),
  step('settle', 'Waits until the agent is quiet: nothing has come for a while.', {
    ms: z
      .number()
      .positive()
      .describe('How long nothing must come, in milliseconds; settleMs of the options when left out.')
      .optional(),
  }),
  step('setMode', 'Sends session/set_mode.', { modeId: z.string().describe('The id of the mode.'), session }),
  step('setConfigOption', 'Sends session/set_config_option.', {
    configId: z.string().describe('The id of the option.'),
    value: z.string().describe('The id of its new value.'),
    session,
  }),
  step(
    'restart',
    'Ends the agent gracefully and starts a fresh process over the same sessions. initialize follows.',
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
