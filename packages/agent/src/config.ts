import * as z from 'zod'

/** `system` may hold `{{cwd}}`, which stands for the session's working directory. */
export const Config = z.strictObject({
  model: z.string().min(1),
  system: z.string().optional(),
  maxSteps: z.number().int().positive().default(100),
})

export type AgentConfig = z.infer<typeof Config>
