import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { Config } from '@jest/types'
import { isAcp, readConfigs, scenarioDirs } from '../command/projects.cjs'
import { type AcpOptions, parseOptions } from '../options.ts'
import { CommandError, EXIT } from './shell.ts'

/** A project of the Jest config whose tests are scenarios. */
export interface SnapshotProject {
  options: AcpOptions
  /** The absolute paths of its scenarios' directories. */
  scenarios: readonly string[]
}

/**
 * The projects of a Jest config that this environment runs. None where there is no Jest, or no config.
 *
 * @param cwd where Jest would start
 * @param config the path of the config; by default Jest looks for it
 * @throws CommandError for a config that cannot be read
 */
export async function readSnapshotProjects(cwd: string, config: string | undefined): Promise<SnapshotProject[]> {
  const jest = findJest(cwd)
  if (jest === undefined) {
    if (config === undefined) return []
    throw new CommandError('jest is not installed here: npm install --save-dev jest', EXIT.usage)
  }
  const configs = await readConfigs(
    jest,
    { _: [], $0: 'jest', ...(config !== undefined && { config: resolve(cwd, config) }) },
    [cwd],
  ).catch((error: unknown) => {
    // Jest looks for a config in each directory above.
    if (config === undefined && isMissingConfig(error)) return []
    throw new CommandError(
      `the Jest config cannot be read: ${error instanceof Error ? error.message : error}`,
      EXIT.usage,
    )
  })
  return configs.filter(isAcp).map(toProject)
}

/** The `jest` command that `npx jest` would start. */
export function findJest(cwd: string): string | undefined {
  try {
    return createRequire(join(cwd, 'package.json')).resolve('jest/bin/jest')
  } catch {
    return undefined
  }
}

function isMissingConfig(error: unknown): boolean {
  return error instanceof Error && error.message.includes('Could not find a config file')
}

function toProject(config: Config.ProjectConfig): SnapshotProject {
  const { rootDir, testEnvironmentOptions } = config
  return { options: parseOptions(testEnvironmentOptions.acp, rootDir), scenarios: scenarioDirs(config) }
}
