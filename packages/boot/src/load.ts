import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Entry, Loader } from '@cordisjs/loader'
import { Context, resolveConfig } from 'cordis'
import type { PluginEntry } from './config/plugin-entry.ts'
import type { AppConfig } from './config/read-config.ts'

/** Maps the file that a plugin's name resolves to, to the URL to import: our own sources are imported as bundles. */
export type PluginUrl = (file: string) => string

/** A plugin that is not active after loading. */
export class LoadError extends Error {
  override name = 'LoadError'
}

// Cordis exports these as a `const enum`, which a transpiler cannot read.
const FIBER_STATES = ['pending', 'loading', 'active', 'failed', 'disposed', 'unloading']
const ACTIVE = 2

/**
 * Loads the plugins through the real Loader, then checks each of them: the Loader also settles when a plugin failed.
 *
 * @throws LoadError that names one plugin that is not active, and why. A plugin that failed comes before one that waits
 */
export async function load(config: AppConfig, pluginUrl: PluginUrl): Promise<Context> {
  const ctx = new Context()
  const failures: Failure[] = []
  let loading = true
  ctx.on('internal/error', function (error: unknown) {
    if (loading) failures.push({ entry: entryOf(this), error })
    else console.error(error)
  })
  // The Loader emits the error of a bad config, and also leaves its rejection unhandled.
  const onRejection = (error: unknown) => failures.push({ entry: undefined, error })
  process.on('unhandledRejection', onRejection)
  await ctx.plugin(Loader, { baseUrl: pathToFileURL(config.file).href })
  await ctx.loader.root.update(config.plugins.map((plugin) => toEntry(plugin, pluginUrl)))
  await ctx.loader.await()
  await checkAll([...ctx.loader.entries()], config, failures)
  process.off('unhandledRejection', onRejection)
  loading = false
  for (const { error } of failures) console.error(error)
  return ctx
}

/** An error during loading, and the plugin that caused it, if that is known. */
interface Failure {
  entry: Entry | undefined
  error: unknown
}

/** The plugin that a context belongs to. Cordis emits an import error with that context as `this`. */
function entryOf(context: unknown): Entry | undefined {
  if (typeof context !== 'object' || context === null) return undefined
  const entry: unknown = Reflect.get(context, Entry.key)
  return entry instanceof Entry ? entry : undefined
}

function toEntry({ id, name, config, disabled, file }: PluginEntry, pluginUrl: PluginUrl) {
  return { id, name: disabled ? name : pluginUrl(resolvePlugin(id, name, file)), config, disabled: disabled === true }
}

/** Resolves a plugin name as `require` would in the file that lists the plugin. */
function resolvePlugin(id: string, name: string, file: string): string {
  try {
    return createRequire(file).resolve(name)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'MODULE_NOT_FOUND' ? 'cannot be found from this file' : `cannot be resolved: ${message}`
    throw new LoadError(`${file}: plugin ${name} (id ${id}) ${why}`)
  }
}

async function checkAll(entries: Entry[], config: AppConfig, failures: Failure[]): Promise<void> {
  const inactive = entries.filter(({ options, fiber }) => !options.disabled && fiber?.state !== ACTIVE)
  const problems = await Promise.all(inactive.map(async (entry) => ({ entry, ...(await problemOf(entry, failures)) })))
  const first = problems.find(({ waits }) => !waits) ?? problems[0]
  if (!first) return
  const plugin = config.plugins.find(({ id }) => id === first.entry.options.id)
  throw new LoadError(`${config.file}: plugin ${plugin?.name} (id ${plugin?.id}) ${first.why}`)
}

async function problemOf(entry: Entry, failures: Failure[]): Promise<{ why: string; waits?: boolean }> {
  const { fiber } = entry
  if (!fiber) {
    const failure = failures.find((failure) => failure.entry === entry) ?? failures[0]
    return { why: `was not loaded: ${messageOf(failure?.error)}` }
  }
  const missing = Object.keys(fiber.inject).filter((service) => fiber.ctx.get(service) === undefined)
  try {
    // Cordis drops this error when the services that the plugin waits for appear, and starts it without a config.
    if (fiber.runtime) resolveConfig(fiber.runtime, entry.options.config)
    await fiber.await()
  } catch (error) {
    return { why: `failed: ${messageOf(error)}` }
  }
  if (missing.length > 0) return { why: `waits for ${missing.join(', ')}, which no plugin provides`, waits: true }
  return { why: `is ${FIBER_STATES[fiber.state]}` }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
