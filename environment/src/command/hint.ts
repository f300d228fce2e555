import { escapeRegExp } from '../escape-reg-exp.ts'
import { quoteWord } from './quote-word.cjs'

/** The parts of Jest's command line that a command for one scenario must repeat. */
interface JestStart {
  /** The value of Jest's `-c` option, as written. */
  config?: string | undefined
  /** The `displayName` of the project, when Jest runs more than one project. */
  project?: string | undefined
}

/**
 * The command that runs one scenario, for hints in messages. A message may put RECORD=1 or REFRESH=1 before it.
 *
 * @param dir the scenario's directory, absolute or relative to the directory in which Jest starts
 * @param flag a flag of Jest
 */
export type JestCommand = (dir: string, flag?: '-u') => string

/** Makes the commands for one start of Jest. Without arguments, they select the scenario in every project. */
export function jestCommand({ config, project }: JestStart = {}): JestCommand {
  return (dir, flag) =>
    [
      'npx jest',
      ...(config === undefined ? [] : ['-c', quoteWord(config)]),
      quoteWord(patternOf(dir)),
      ...(flag === undefined ? [] : [flag]),
      // Last: Jest reads every word after it as a project.
      ...(project === undefined ? [] : ['--selectProjects', quoteWord(project)]),
    ].join(' ')
}

/** The value of the last `-c` or `--config` on a command line. */
export function configOf(args: readonly string[]): string | undefined {
  return args.reduce<string | undefined>((found, arg, i) => {
    if (arg === '-c' || arg === '--config') return args[i + 1] ?? found
    return /^(?:-c|--config)=(.*)$/s.exec(arg)?.[1] ?? found
  }, undefined)
}

/** A regular expression for the paths in a directory. The slash at the end excludes longer names with the same start. */
function patternOf(dir: string): string {
  const path = dir.replaceAll('\\', '/').replace(/^(?:\.\.?\/)+/, '')
  return `${escapeRegExp(path)}/`
}
