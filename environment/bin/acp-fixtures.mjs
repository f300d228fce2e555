#!/usr/bin/env node
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'

const environment = join(dirname(fileURLToPath(import.meta.url)), '..')
// A reader that has gone (`| head`) wants no more of it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
try {
  const { fixtures } = await importSource(join(environment, 'src/guard/fixtures-command.ts'))
  process.exitCode = await fixtures(process.argv.slice(2), {
    cwd: process.cwd(),
    env: process.env,
    schemaDir: join(environment, 'schema'),
    secretlint: join(environment, 'src/secrets/secretlint-process.mjs'),
    out: console.log,
    err: console.error,
  })
} catch (error) {
  console.error(`acp-fixtures: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 2
}

/**
 * Bundles the TypeScript source and imports it: what runs is never a stale build.
 * @param {string} entry
 */
async function importSource(entry) {
  const dir = mkdtempSync(join(tmpdir(), 'acp-fixtures-'))
  try {
    const outfile = join(dir, 'cli.cjs')
    buildSync({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'cjs', target: 'node20' })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
