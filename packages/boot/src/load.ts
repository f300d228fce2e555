import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { type Entry, Loader } from '@cordisjs/loader'
import { Context } from 'cordis'
import type { AppConfig, PluginEntry } from './config/read.ts'
import type { PluginUrl } from './index.ts'

/** A plugin that does not stand once the Loader has settled. */
export class LoadError extends Error {
  override name = 'LoadError'
}

// Cordis exports these as a `const enum`, which a transpiler cannot read.
const FIBER_STATES = ['pending', 'loading', 'active', 'failed', 'disposed', 'unloading']
const ACTIVE = 2

/**
 * Loads the plugins through the real Loader, and looks at each: settled is not loaded.
 *
 * @throws LoadError naming the first plugin that does not stand, its state, and why
 */
export async function load(config: AppConfig, pluginUrl: PluginUrl): Promise<Context> {
  const ctx = new Context()
  let loading = true
  let firstError: unknown
  const onError = (error: unknown) => {
    if (loading) firstError ??= error
    else console.error(error)
  }
  ctx.on('internal/error', onError)
  // The Loader leaves the rejection of a bad config unhandled, besides emitting it.
  process.on('unhandledRejection', onError)
  await ctx.plugin(Loader, { baseUrl: pathToFileURL(config.file).href })
  await ctx.loader.root.update(config.plugins.map((plugin) => toEntry(plugin, config, pluginUrl)))
  await ctx.loader.await()
  for (const entry of ctx.loader.entries()) check(entry, config, firstError)
  process.off('unhandledRejection', onError)
  loading = false
  return ctx
}

function toEntry({ id, name, config, disabled }: PluginEntry, app: AppConfig, pluginUrl: PluginUrl) {
  return { id, name: disabled ? name : pluginUrl(resolvePlugin(name, app.file)), config, disabled: disabled === true }
}

/** Plugin names resolve as an import from the config file would. */
function resolvePlugin(name: string, file: string): string {
  try {
    return createRequire(file).resolve(name)
  } catch {
    throw new LoadError(`${file}: plugin ${name} cannot be found from there`)
  }
}

function check(entry: Entry, config: AppConfig, firstError: unknown): void {
  if (entry.options.disabled || entry.fiber?.state === ACTIVE) return
  const name = config.plugins.find((plugin) => plugin.id === entry.options.id)?.name ?? entry.options.name
  throw new LoadError(`${config.file}: plugin ${name} (id ${entry.options.id}) ${why(entry, firstError)}`)
}

function why({ fiber }: Entry, firstError: unknown): string {
  const message = firstError instanceof Error ? firstError.message : String(firstError)
  if (!fiber) return `was not loaded: ${message}`
  const missing = Object.keys(fiber.inject).filter((service) => fiber.ctx.get(service) === undefined)
  if (missing.length > 0) return `waits for ${missing.join(', ')}, which no plugin provides`
  return `is ${FIBER_STATES[fiber.state]}: ${message}`
}
