import * as z from 'zod'
import { permissionSchema, scriptedAnswerSchema } from './answer-schema.ts'
import { stepSchema } from './step-schema.ts'

/** `input.json`, with defaults filled in. */
export type ScenarioInput = z.infer<typeof inputSchema>

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
    permissions: z
      .array(permissionSchema)
      .describe(
        'The answers to session/request_permission. An entry with "for" answers the requests that it names; the others ' +
          'answer the rest, in order.',
      )
      .default([]),
    answers: z
      .array(scriptedAnswerSchema)
      .describe('The answers to other requests of the agent, in order for each method.')
      .default([]),
    dataPaths: z
      .array(z.string().regex(/^(?:\/|[A-Za-z]:[\\/])./, 'must be an absolute path'))
      .describe('Paths in a temp directory that are data, the same in every run: the model names them.')
      .default([]),
    steps: z.array(stepSchema).min(1, 'must have a step, and the first one is initialize').describe('The script.'),
  })
  .describe('The script of a scenario, and what the scenario is.')

/** The keys that `input.json` may have. */
export const inputKeys: readonly string[] = Object.keys(inputSchema.shape)
