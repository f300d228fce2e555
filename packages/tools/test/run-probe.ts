import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildSync } from 'esbuild'

/**
 * Runs a probe in a separate process, because Jest cannot load Cordis, and returns its output: one JSON value. The probe
 * is bundled with the current source of its imports.
 */
export function runProbe(directory: string, file: string): unknown {
  const { outputFiles } = buildSync({
    entryPoints: [join(directory, file)],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    logLevel: 'error',
  })
  const script = outputFiles[0]?.text ?? ''
  const child = spawnSync(process.execPath, ['-'], { input: script, encoding: 'utf8', timeout: 20_000 })
  if (child.status !== 0) throw new Error(`${file} exited with ${child.status ?? child.signal}:\n${child.stderr}`)
  return JSON.parse(child.stdout)
}
