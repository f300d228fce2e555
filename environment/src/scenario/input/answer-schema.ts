import * as z from 'zod'

/**
 * How the client answers one `session/request_permission`: by the kind of an option, by its id, by no choice, or not until
 * the turn is cancelled.
 */
export type Permission = z.infer<typeof permissionSchema>

/** How the client answers a request with another method. */
export type ScriptedAnswer = z.infer<typeof scriptedAnswerSchema>

const times = z
  .literal('any')
  .describe('"any": answers any number of requests, or none. Default: exactly one.')
  .optional()

const condition = {
  for: z
    .string()
    .min(1)
    .describe('A title, or a kind such as "edit". The entry answers only requests for a tool call that has it.')
    .optional(),
  times,
}

export const permissionSchema = z.union(
  [
    z.strictObject({
      kind: z
        .enum(['allow_once', 'allow_always', 'reject_once', 'reject_always'])
        .describe('Chooses the first option of this kind.'),
      ...condition,
    }),
    z.strictObject({
      kind: z
        .literal('leaveOpen')
        .describe('Does not answer until session/cancel is sent for the session; then the outcome is cancelled.'),
      ...condition,
    }),
    z.strictObject({ optionId: z.string().describe('Chooses the option with this id.'), ...condition }),
    z.strictObject({
      outcome: z.literal('cancelled').describe('Chooses no option: the request is cancelled.'),
      ...condition,
    }),
  ],
  {
    error:
      'expected { "kind": "allow_once" | "allow_always" | "reject_once" | "reject_always" | "leaveOpen" }, ' +
      '{ "optionId": … } or { "outcome": "cancelled" }, each with or without "for": "a title or kind" and "times": "any"',
  },
)

export const scriptedAnswerSchema = z
  .strictObject({
    method: z
      .string()
      .min(1)
      .refine((method) => method !== 'session/request_permission', 'must be answered in "permissions"')
      .describe('The method of the request: one of ACP, or one of a vendor.'),
    result: z.json().describe('The result of the response. Default: null.').optional(),
    error: z
      .strictObject({
        code: z.int().describe('The JSON-RPC error code.'),
        message: z.string().describe('The error message.'),
        data: z.json().describe('More details.').optional(),
      })
      .describe('The error of the response, instead of a result.')
      .optional(),
    times,
  })
  .refine(({ result, error }) => result === undefined || error === undefined, 'has both "result" and "error"')
