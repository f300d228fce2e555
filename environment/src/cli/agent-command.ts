import { existsSync } from 'node:fs'
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { CommandError, EXIT } from './shell.ts'

/** A command line, as the options of the Jest config hold it. */
export interface AgentCommand {
  command: string
  args: string[]
}

/**
 * Turns the words of a command line into options that work in any directory: a run starts the agent in a directory of its
 * own. Files of the project get `<rootDir>`, and so do programs in its `node_modules`, which `npx` would start.
 *
 * @param words the command line, as typed in `cwd`
 * @throws CommandError for a program that `npx` would download
 */
export function agentCommand(words: readonly string[], cwd: string): AgentCommand {
  const [command = '', ...args] = basename(words[0] ?? '') === 'npx' ? withoutNpx(words.slice(1), cwd) : words
  return { command: localProgram(command, cwd) ?? inProject(command, cwd), args: args.map((arg) => inFlag(arg, cwd)) }
}

function withoutNpx(words: readonly string[], cwd: string): readonly string[] {
  const at = words.findIndex((word) => !word.startsWith('-'))
  const program = words[at]
  if (program === undefined) throw new CommandError('npx needs the name of a program', EXIT.usage)
  if (localProgram(program, cwd) === undefined) {
    const why = 'npx would download it in every run'
    throw new CommandError(
      `${program} is not in node_modules/.bin: ${why}. Install it first: npm install --save-dev ${program}`,
      EXIT.usage,
    )
  }
  return words.slice(at)
}

/** A program in the project's `node_modules`: Jest may start without them in its PATH. */
function localProgram(name: string, cwd: string): string | undefined {
  if (name.includes('/') || name.includes(sep)) return undefined
  return existsSync(join(cwd, 'node_modules', '.bin', name)) ? `<rootDir>/node_modules/.bin/${name}` : undefined
}

/** `--config=file` as well as `file`. */
function inFlag(arg: string, cwd: string): string {
  const [, flag = '', value = ''] = /^(-[^=]*=)(.+)$/s.exec(arg) ?? []
  return flag === '' ? inProject(arg, cwd) : `${flag}${inProject(value, cwd)}`
}

/** Only a word with a separator or an extension is a path: `acp` may be a subcommand and a directory. */
function inProject(word: string, cwd: string): string {
  if (word.startsWith('-') || !/[./\\]/.test(word) || !existsSync(resolve(cwd, word))) return word
  const path = relative(cwd, resolve(cwd, word))
  if (path === '') return '<rootDir>'
  return path.startsWith('..') || isAbsolute(path) ? resolve(cwd, word) : `<rootDir>/${path.split(sep).join('/')}`
}
