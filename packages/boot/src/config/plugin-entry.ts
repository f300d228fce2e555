import * as z from 'zod'

/** A plugin as a config file lists it. */
export const entrySchema = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  config: z.unknown().optional(),
  disabled: z.boolean().optional(),
})

/** One plugin of the composition: `id` is unique in it, and `name` is resolved from `file`, which lists the plugin. */
export type PluginEntry = z.infer<typeof entrySchema> & { readonly file: string }
