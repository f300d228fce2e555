import * as z from 'zod'
import { ConfigError } from './error.ts'
import type { ListedPlugin, PluginEntry } from './plugin.ts'

const target = { id: z.string(), name: z.string() }

/** What an overlay may do to the file that it includes. A target is named by `id` and `name`, and both must match. */
export function patchSchema<Entry extends z.ZodType<ListedPlugin>>(entry: Entry) {
  return z.union([
    z.strictObject({ disable: z.strictObject(target) }),
    z.strictObject({ replace: z.strictObject({ ...target, config: z.unknown() }) }),
    z.strictObject({ insert: entry }),
  ])
}

type Patch = z.infer<ReturnType<typeof patchSchema<z.ZodType<ListedPlugin>>>>

/** Applies the patches in order. @throws ConfigError for one that matches no plugin */
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
    const hint = near ? `; there is id ${near.id} with name ${near.name}` : ''
    throw new ConfigError(`${where} (${verb}) matches no plugin: id ${wanted.id} with name ${wanted.name}${hint}`)
  }
  return plugins.map((plugin, i) => (i === index ? { ...plugin, ...change } : plugin))
}
