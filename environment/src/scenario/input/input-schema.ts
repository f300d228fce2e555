import * as z from 'zod'
import { stepSchema } from './step-schema.ts'

/**
 * How the client answers one `session/request_permission`: by the kind of an option, by its id, by no choice, or not until
 * the turn is cancelled.
 */
export type Permission = z.infer<typeof permissionSchema>

/** `input.json`, with defaults filled in. */
export type ScenarioInput = z.infer<typeof inputSchema>

const permissionSchema = z.union(
  [
    z.strictObject({
      kind: z
        .enum(['allow_once', 'allow_always', 'reject_once', 'reject_always'])
        .describe('Chooses the first option of this kind.'),
    }),
    z.strictObject({
      kind: z
        .literal('leaveOpen')
        .describe('Does not answer until session/cancel is sent for the session; then the outcome is cancelled.'),
    }),
    z.strictObject({ optionId: z.string().describe('Chooses the option with this id.') }),
    z.strictObject({ outcome: z.literal('cancelled').describe('Chooses nothing: the request was cancelled.') }),
  ],
  {
    error:
      'expected { "kind": "allow_once" | "allow_always" | "reject_once" | "reject_always" | "leaveOpen" }, ' +
      '{ "optionId": … } or { "outcome": "cancelled" }',
  },
)

export const inputSchema = z
  .strictObject({
    $schema: z.string().describe('The JSON Schema that an editor completes from.').optional(),
    description: z.string().describe('What the scenario shows, for people.').optional(),
    overridden: z
      .boolean()
      .describe('The model script is replay.override.json, and nothing else. The scenario is never recorded.')
      .default(false),
    pinsHeader: z
      .boolean()
      .describe(
        'This scenario holds, readable, what the model is told in its header class: ' +
          'the system prompt and the tool schemas.',
      )
      .default(false),
    pinsWorkspace: z
      .boolean()
      .describe('The files that the agent leaves in its working directory are compared too.')
      .default(false),
    headerClass: z
      .string()
      .min(1)
      .describe('Scenarios of one class tell the model the same; one scenario of the class pins it.')
      .default('default'),
    config: z.string().min(1).describe('The name of a variant of the agent in the Jest options.').optional(),
    permissions: z.array(permissionSchema).describe('The answers to session/request_permission, in order.').default([]),
    dataPaths: z
      .array(z.string().regex(/^(?:\/|[A-Za-z]:[\\/])./, 'must be an absolute path'))
      .describe('Paths in a temp directory that are data, the same in every run: the model names them.')
      .default([]),
    steps: z.array(stepSchema).min(1, 'must have a step, and the first one is initialize').describe('The script.'),
  })
  .describe('The script of a scenario, and what the scenario is.')

/** The keys that `input.json` may have. */
export const inputKeys: readonly string[] = Object.keys(inputSchema.shape)
