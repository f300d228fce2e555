#!/usr/bin/env node
// Starts llm-server for a person. Bundles the current source in memory, so it runs from any directory, without a build.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildSync } from 'esbuild'

const usage = `usage: llm-server [--script file.json] [--repeat] [--port N] [--seed N] [--delay-ms N] [--packet-bytes N]
Without a script it answers every request with PONG.`

try {
  const { values } = parseArgs({
    options: {
      script: { type: 'string' },
      repeat: { type: 'boolean' },
      port: { type: 'string' },
      seed: { type: 'string' },
      'delay-ms': { type: 'string' },
      'packet-bytes': { type: 'string' },
    },
  })
  const { parseScript, startLlmServer } = await importSource('../src/index.ts')
  const server = await startLlmServer({
    script: values.script === undefined ? ['PONG'] : parseScript(readFileSync(values.script, 'utf8'), values.script),
    repeat: values.repeat ?? values.script === undefined,
    port: natural('port', values.port),
    seed: natural('seed', values.seed),
    delayMs: natural('delay-ms', values['delay-ms']),
    packetBytes: natural('packet-bytes', values['packet-bytes']),
  })
  console.log(`llm-server ${server.url}`)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close())
} catch (error) {
  console.error(`llm-server: ${error instanceof Error ? error.message : error}\n\n${usage}`)
  process.exitCode = 1
}

/**
 * @param {string} source relative to this file
 * @returns {Promise<typeof import('../src/index.ts')>}
 */
async function importSource(source) {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL(source, import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  })
  const [bundle] = outputFiles
  if (!bundle) throw new Error(`esbuild made nothing of ${source}`)
  return import(`data:text/javascript;base64,${Buffer.from(bundle.contents).toString('base64')}`)
}

/**
 * @param {string} flag
 * @param {string | undefined} text
 */
function natural(flag, text) {
  if (text === undefined || /^\d+$/.test(text)) return text === undefined ? undefined : Number(text)
  throw new Error(`--${flag}: expected a whole number, got ${JSON.stringify(text)}`)
}
