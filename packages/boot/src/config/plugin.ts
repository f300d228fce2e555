import * as z from 'zod'

export const entrySchema = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  config: z.unknown().optional(),
  disabled: z.boolean().optional(),
})

/** A plugin as a file lists it. `id` is unique in the composition, `name` is what is imported. */
export type ListedPlugin = z.infer<typeof entrySchema>

/** One plugin of the composition, and the file that lists it: `name` resolves from there. */
export type PluginEntry = ListedPlugin & { readonly file: string }
