import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ConfigError } from './config/error.ts'
import { readConfig } from './config/read.ts'
import { loadEnvFile } from './env-file.ts'
import { LoadError, load, type PluginUrl } from './load.ts'
import { disposeAtEnd } from './shutdown.ts'
import { keepStdoutClean } from './stdout.ts'

const USAGE = 'usage: acp-agent --config FILE [--env-file FILE]'

/**
 * Boots the agent: config file → Loader → all plugins active; then it serves until stdin ends.
 * What goes wrong before that is one line on stderr and a non-zero exit.
 */
export async function main(argv: readonly string[], pluginUrl: PluginUrl): Promise<void> {
  keepStdoutClean()
  try {
    const options = readArguments(argv)
    if (options.envFile) loadEnvFile(options.envFile)
    const ctx = await load(readConfig(options.config, process.env), pluginUrl)
    disposeAtEnd(ctx)
  } catch (error) {
    const expected = error instanceof ConfigError || error instanceof LoadError
    fail(expected ? oneLine(error.message) : error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}

function readArguments(argv: readonly string[]): { config: string; envFile: string | undefined } {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { config: { type: 'string' }, 'env-file': { type: 'string' } },
    })
    if (values.config === undefined) throw new Error('--config is missing')
    return { config: resolve(values.config), envFile: values['env-file'] }
  } catch (error) {
    throw new ConfigError(`${error instanceof Error ? error.message : error}; ${USAGE}`)
  }
}

/** What a plugin says of itself may have many lines. */
function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ')
}

function fail(message: string): never {
  process.stderr.write(`acp-agent: ${message}\n`)
  process.exit(1)
}
