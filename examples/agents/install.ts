import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './run-command.ts'

/** `npm ci` refuses a lock file that lacks the packages of other platforms, as opencode's does. */
const INSTALL = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel', 'error']

/**
 * Installs an agent as its lock file says, unless that is done. The root installs the SDK's example agent.
 *
 * @returns what went wrong, if anything did
 */
export async function install(dir: string, stop: AbortSignal): Promise<string | undefined> {
  if (!existsSync(join(dir, 'package.json'))) return undefined
  const isInstalled =
    changedAt(join(dir, 'node_modules', '.package-lock.json')) > changedAt(join(dir, 'package-lock.json'))
  if (isInstalled) return undefined
  console.log(`npm install in ${dir}`)
  const { code, output } = await runCommand('npm', INSTALL, dir, stop)
  return code === 0 ? undefined : `npm install in ${dir} failed:\n${output}`
}

/** 0 for a file that is not there. */
function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
