#!/usr/bin/env node
// Starts llm-server from its current source, which is bundled in memory. A published package has the bundle in a file.
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const { outputFiles } = buildSync({
  entryPoints: [fileURLToPath(new URL('../src/bin.ts', import.meta.url))],
  bundle: true,
  format: 'esm',
  platform: 'node',
  write: false,
})
const [bundle] = outputFiles
if (!bundle) throw new Error('esbuild wrote no bundle')
await import(`data:text/javascript;base64,${Buffer.from(bundle.contents).toString('base64')}`)
