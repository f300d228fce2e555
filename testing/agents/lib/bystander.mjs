// Starts a child that lives until SIGKILL.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** @param {import('node:child_process').SpawnOptions} options */
export function startBystander(options) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('hold-out.mjs', import.meta.url))], options)
  child.unref()
  return child
}
