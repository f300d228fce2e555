export { INPUT } from './input-file.cjs'

/** The model's part, written by hand. */
export const OVERRIDE = 'replay.override.json'

/** The directory of what is copied into a run's working directory. */
export const WORKSPACE = 'workspace'

/** The directory of what is copied into a run's home directory. */
export const HOME = 'home'

/** The directories that are copied into a run. */
export const SEEDS = [WORKSPACE, HOME] as const

/** The one file that may lie beside the scenarios. */
export const README = 'README.md'

/** How the name of a directory begins in which a write is made ready, beside the scenarios. */
export const STAGING = '.acp-staging-'

/** Whether a file is copied into a run. @param path in the scenario's directory, with `/` */
export function isOfSeed(path: string): boolean {
  return SEEDS.some((seed) => path.startsWith(`${seed}/`))
}
