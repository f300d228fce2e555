import * as z from 'zod'

/** `system` may contain `{{cwd}}`, the session's working directory. `maxSteps` may come from an environment variable. */
export const Config = z.strictObject({
  model: z.string().min(1),
  system: z.string().optional(),
  maxSteps: z.coerce.number().int().positive().default(100),
})

export type AgentConfig = z.infer<typeof Config>
