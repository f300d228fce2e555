import * as z from 'zod'
import { permissionSchema, scriptedAnswerSchema } from './answer-schema.ts'
import { stepSchema } from './step-schema.ts'

/** `input.json`, with defaults filled in. */
export type ScenarioInput = z.infer<typeof inputSchema>

export const inputSchema = z
  .strictObject({
    $schema: z.string().describe('The JSON Schema, for completion in an editor.').optional(),
    description: z.string().describe('What the scenario shows, for its readers.').optional(),
    overridden: z
      .boolean()
      .describe("The model's answers are in replay.override.json, written by hand. The scenario is never recorded.")
      .default(false),
    pinsHeader: z
      .boolean()
      .describe('This scenario contains the system prompt and the tool schemas of its header class, as readable files.')
      .default(false),
    pinsWorkspace: z
      .boolean()
      .describe('Also compares the files that the agent leaves in its working directory.')
      .default(false),
    headerClass: z
      .string()
      .min(1)
      .describe('Scenarios of one class send the same system prompt and tools to the model. One of them pins these.')
      .default('default'),
    config: z.string().min(1).describe('The name of a variant in "configs" of the options.').optional(),
    permissions: z
      .array(permissionSchema)
      .describe(
        'The answers to session/request_permission, in order. An entry with "for" answers only the requests that it names.',
      )
      .default([]),
    answers: z
      .array(scriptedAnswerSchema)
      .describe('The answers to other requests of the agent, in order per method.')
      .default([]),
    dataPaths: z
      .array(z.string().regex(/^(?:\/|[A-Za-z]:[\\/])./, 'must be an absolute path'))
      .describe(
        'Paths in a temp directory that are the same in every run, because the user or the model chose them. They get no token.',
      )
      .default([]),
    steps: z.array(stepSchema).min(1, 'must have a step, and the first one is initialize').describe('The script.'),
  })
  .describe('A scenario: its script, and how it is run.')

/** The keys that `input.json` may have. */
export const inputKeys: readonly string[] = Object.keys(inputSchema.shape)
