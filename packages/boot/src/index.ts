import { Console } from 'node:console'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ConfigError } from './config/config-error.ts'
import { readConfig } from './config/read-config.ts'
import { LoadError, load, type PluginUrl } from './load.ts'
import { disposeAtEnd } from './shutdown.ts'

const USAGE = 'usage: acp-agent --config FILE [--env-file FILE]'

/**
 * Boots the agent: config file → Loader → all plugins active. Then it serves until stdin ends.
 * If booting fails, it prints the reason to stderr and exits with code 1. For an expected error that is one line.
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

/** Stdout carries only JSON-RPC, so the console writes to stderr. */
function keepStdoutClean(): void {
  globalThis.console = new Console({ stdout: process.stderr, stderr: process.stderr })
}

/** Loads variables from a file, if it exists. It does not overwrite variables that are already set. */
function loadEnvFile(file: string): void {
  if (existsSync(file)) process.loadEnvFile(file)
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

/** A plugin's own error message may have several lines. */
function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ')
}

function fail(message: string): never {
  process.stderr.write(`acp-agent: ${message}\n`)
  process.exit(1)
}
