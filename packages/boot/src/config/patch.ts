import * as z from 'zod'
import { ConfigError } from './config-error.ts'
import { entrySchema, type PluginEntry } from './plugin-entry.ts'

const target = { id: z.string(), name: z.string() }

/** One change to the plugins of an included file. Both `id` and `name` of the target must match. */
export const patchSchema = z.union([
  z.strictObject({ disable: z.strictObject(target) }),
  z.strictObject({ replace: z.strictObject({ ...target, config: z.unknown() }) }),
  z.strictObject({ insert: entrySchema }),
])

type Patch = z.infer<typeof patchSchema>

/** Applies the patches in order. @throws ConfigError for a patch that matches no plugin */
export function applyPatches(plugins: readonly PluginEntry[], patches: readonly Patch[], file: string): PluginEntry[] {
  return patches.reduce<PluginEntry[]>(
    (result, patch, i) => apply(result, patch, file, `${file}: patch ${i + 1}`),
    [...plugins],
  )
}

function apply(plugins: PluginEntry[], patch: Patch, file: string, where: string): PluginEntry[] {
  if ('insert' in patch) return [...plugins, { ...patch.insert, file }]
  const [verb, wanted, change] =
    'disable' in patch
      ? (['disable', patch.disable, { disabled: true }] as const)
      : (['replace', patch.replace, { config: patch.replace.config }] as const)
  const index = plugins.findIndex(({ id, name }) => id === wanted.id && name === wanted.name)
  if (index === -1) {
    const near = plugins.find(({ id, name }) => id === wanted.id || name === wanted.name)
    const hint = near ? `; found id ${near.id} with name ${near.name}` : ''
    const expected = `expected id ${wanted.id} with name ${wanted.name}`
    throw new ConfigError(`${where} (${verb}) matches no plugin: ${expected}${hint}`)
  }
  return plugins.map((plugin, i) => (i === index ? { ...plugin, ...change } : plugin))
}
