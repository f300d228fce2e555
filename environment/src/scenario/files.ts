export { INPUT } from './input-file.cjs'

/** The model's answers, written by hand. */
export const OVERRIDE = 'replay.override.json'

/** The directory that is copied into the run's working directory. */
export const WORKSPACE = 'workspace'

/** The directory that is copied into the run's home directory. */
export const HOME = 'home'

/** The directories that are copied into a run. */
export const SEEDS = [WORKSPACE, HOME] as const

/** The only file that may be next to the scenarios. */
export const README = 'README.md'

/** The prefix of the directories next to the scenarios in which writes are staged. */
export const STAGING = '.acp-staging-'

/** Whether a file is copied into a run. @param path in the scenario's directory, with `/` */
export function isOfSeed(path: string): boolean {
  return SEEDS.some((seed) => path.startsWith(`${seed}/`))
}
