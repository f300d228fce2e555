import { Command, CommanderError } from 'commander'
import { escapeControls } from '../escape-controls.ts'
import { isForReaders } from '../for-readers.ts'
import { UsageError } from '../usage-error.ts'
import { checkCommand } from './check.ts'
import { explainCommand } from './explain.ts'
import { initCommand } from './init.ts'
import { CommandError, EXIT, type Shell } from './shell.ts'
import { stableCommand } from './stable.ts'

const ABOUT = `Snapshot tests for agents that speak the Agent Client Protocol (ACP).

Jest runs the tests; these commands are for what is around them.`

const EXAMPLES = `
examples:
  npx acp-snapshot init -- node my-agent.mjs     a Jest config and a first scenario for your agent
  npx acp-snapshot check                         checks all fixtures without starting an agent
  npx acp-snapshot explain handshake             which value became which token, and by which rule
  npx acp-snapshot stable handshake              whether several runs are equal, and which rule is missing

Exit code: 0 if all is well, 1 for a negative result, 2 for a mistake in the command line.
Documentation: https://github.com/acp-snapshot/acp-snapshot#readme`

/** Each command, in the order in which `--help` lists them. */
const COMMANDS = [initCommand, checkCommand, explainCommand, stableCommand]

/** Runs the command line of this process, and sets its exit code. */
export async function runCommandLine(): Promise<void> {
  // A reader that has gone (`| head`) wants no more of it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  process.exitCode = await main(process.argv.slice(2), {
    cwd: process.cwd(),
    env: process.env,
    out: console.log,
    err: console.error,
  })
}

/** The `acp-snapshot` command. @param args the words after its name @returns the exit code */
export async function main(args: readonly string[], shell: Shell): Promise<number> {
  let code: number = EXIT.ok
  const program = quiet(new Command('acp-snapshot'), shell).description(ABOUT).addHelpText('after', EXAMPLES)
  const exit = (result: number) => {
    code = result
  }
  for (const command of COMMANDS) program.addCommand(quiet(command(shell, exit), shell))
  try {
    await program.parseAsync([...args], { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    if (!isForReaders(error)) throw error
    shell.err(`acp-snapshot: ${escapeControls(error.message)}`)
    if (error instanceof CommandError) return error.code
    return error instanceof UsageError ? EXIT.usage : EXIT.failed
  }
}

/** Makes a command print through the shell and throw instead of ending the process. */
function quiet(command: Command, shell: Shell): Command {
  const line = (text: string) => text.replace(/\n$/, '')
  return command
    .exitOverride()
    .helpCommand(false)
    .showHelpAfterError('(add --help for help)')
    .helpOption('-h, --help', 'prints this text')
    .configureOutput({
      writeOut: (text) => shell.out(line(text)),
      writeErr: (text) => shell.err(line(text)),
      outputError: (text, write) => write(escapeControls(line(text))),
    })
}
