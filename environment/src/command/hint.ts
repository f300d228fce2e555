import { escapeRegExp } from '../escape-reg-exp.ts'
import { quoteWord } from './quote-word.cjs'

/** How Jest was started, as far as a command that selects one scenario must repeat it. */
interface JestStart {
  /** The config that Jest was given with `-c`, as it was written. */
  config?: string | undefined
  /** The `displayName` of the project, when Jest runs more than one project. */
  project?: string | undefined
}

/**
 * The command that runs one scenario, for the hints in messages. RECORD=1 or REFRESH=1 stands before it.
 *
 * @param dir the scenario's directory, absolute or relative to where Jest is started
 * @param flag a flag of Jest, as in `-u`
 */
export type JestCommand = (dir: string, flag?: '-u') => string

/** Makes the commands for one start of Jest. Without arguments: a form that selects the scenario in any project. */
export function jestCommand({ config, project }: JestStart = {}): JestCommand {
  return (dir, flag) =>
    [
      'npx jest',
      ...(config === undefined ? [] : ['-c', quoteWord(config)]),
      quoteWord(patternOf(dir)),
      ...(flag === undefined ? [] : [flag]),
      // Last: Jest takes each word after it for a project.
      ...(project === undefined ? [] : ['--selectProjects', quoteWord(project)]),
    ].join(' ')
}

/** The value of the last `-c` or `--config` of a command line. */
export function configOf(args: readonly string[]): string | undefined {
  return args.reduce<string | undefined>((found, arg, i) => {
    if (arg === '-c' || arg === '--config') return args[i + 1] ?? found
    return /^(?:-c|--config)=(.*)$/s.exec(arg)?.[1] ?? found
  }, undefined)
}

/** A regular expression for the paths in a directory. Its slash at the end keeps out names that only begin like it. */
function patternOf(dir: string): string {
  const path = dir.replaceAll('\\', '/').replace(/^(?:\.\.?\/)+/, '')
  return `${escapeRegExp(path)}/`
}
