import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import * as z from 'zod'
import { ConfigError } from './config-error.ts'
import { applyPatches, patchSchema } from './patch.ts'
import { entrySchema, type PluginEntry } from './plugin-entry.ts'
import { resolveVariables } from './variable.ts'
import { parseYaml } from './yaml.ts'

/** All plugins of a config file, after its includes and patches are applied. */
export interface AppConfig {
  file: string
  plugins: PluginEntry[]
}

const fileSchema = z.union([
  z.strictObject({ plugins: z.array(entrySchema) }),
  z.strictObject({ include: z.string(), patches: z.array(patchSchema) }),
])

/**
 * Reads a config file: either a list of plugins, or patches to another file that it includes.
 * `!env NAME` in the config of an enabled plugin is replaced by the variable's value in `env`.
 *
 * @throws ConfigError if a file is invalid, or a variable is not set
 */
export function readConfig(file: string, env: NodeJS.ProcessEnv): AppConfig {
  const plugins = readPlugins(file).map((plugin) => {
    if (plugin.disabled) return plugin
    return { ...plugin, config: resolveVariables(plugin.config ?? {}, env, `${file}: plugin ${plugin.id}`) }
  })
  return { file, plugins }
}

function readPlugins(file: string): PluginEntry[] {
  const result = fileSchema.safeParse(parseYaml(readText(file), file))
  if (!result.success) throw new ConfigError(`${file}: ${z.prettifyError(result.error).replaceAll(/\s*\n\s*/g, ' ')}`)
  if ('plugins' in result.data)
    return unique(
      result.data.plugins.map((plugin) => ({ ...plugin, file })),
      file,
    )
  const { include, patches } = result.data
  return unique(applyPatches(readPlugins(resolve(dirname(file), include)), patches, file), file)
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigError(`cannot read the config: ${error instanceof Error ? error.message : error}`)
  }
}

function unique(plugins: PluginEntry[], file: string): PluginEntry[] {
  const ids = new Set<string>()
  for (const { id } of plugins) {
    if (ids.has(id)) throw new ConfigError(`${file}: two plugins have the id ${id}`)
    ids.add(id)
  }
  return plugins
}
