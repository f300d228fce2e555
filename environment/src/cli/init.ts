import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseJsonText } from '@acp-snapshot/json-text'
import { Command } from 'commander'
import { quoteWord } from '../command/quote-word.cjs'
import { parseOptions } from '../options.ts'
import { isRecord } from '../run/message.ts'
import { INPUT } from '../scenario/files.ts'
import { isSystemError } from '../scenario/read-files.ts'
import { agentCommand } from './agent-command.ts'
import { configText, FIRST_SCENARIO, type FirstOptions, scenarioText } from './first-files.ts'
import { type Probe, probeAgent } from './probe-agent.ts'
import { CommandError, EXIT, type Shell } from './shell.ts'
import { findJest } from './snapshot-projects.ts'

const HELP = `
Starts the agent once, and looks at its answers to initialize and session/new. Then writes a Jest config and a first
scenario, and runs it. It never overwrites a file.

examples:
  npx acp-snapshot init -- node my-agent.mjs
  npx acp-snapshot init --env MY_AGENT_MODEL=fake -- ./target/debug/my-agent --acp`

const SCENARIO = join('__fixtures__', FIRST_SCENARIO, INPUT)

/** Where Jest looks for a config. With one there, ours gets a name of its own. */
const JEST_CONFIGS = ['js', 'ts', 'mjs', 'mts', 'cjs', 'cts', 'json'].map((extension) => `jest.config.${extension}`)
const CONFIG = 'jest.config.mjs'
const SECOND_CONFIG = 'jest.acp.config.mjs'

/** `acp-snapshot init`: the config and the first scenario for an agent. */
export function initCommand(shell: Shell, exit: (code: number) => void): Command {
  return new Command('init')
    .description('writes a Jest config and a first scenario for your agent, and runs it')
    .argument('<command...>', 'the command that starts your agent, after --')
    .option('-e, --env <NAME=value>', 'a variable for the agent; may be repeated', collectVariable)
    .addHelpText('after', HELP)
    .action(async (words: string[], { env }: { env?: Record<string, string> }) => {
      const { cwd } = shell
      const config = hasConfig(cwd) ? SECOND_CONFIG : CONFIG
      const jest = findJest(cwd)
      if (jest === undefined) throw new CommandError('jest is not installed here: npm install --save-dev jest')
      requireFree(cwd, [config, SCENARIO])
      const start = { ...agentCommand(words, cwd), ...(env && { env }) }
      const probe = await probeAgent(parseOptions(start, cwd))
      describe(probe, shell)
      const acp: FirstOptions = { ...start, ...(probe.exitProblem !== undefined && { exit: 'sigterm' }) }
      write(cwd, config, configText(acp), shell)
      write(cwd, SCENARIO, scenarioText(probe, schemaPath(cwd)), shell)
      const flags = config === CONFIG ? [] : ['-c', config]
      exit(runTwice(jest, flags, shell))
    })
}

function collectVariable(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1) throw new CommandError(`--env ${text}: expected NAME=value`, EXIT.usage)
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}

function hasConfig(cwd: string): boolean {
  if (JEST_CONFIGS.some((name) => existsSync(join(cwd, name)))) return true
  const manifest = join(cwd, 'package.json')
  if (!existsSync(manifest)) return false
  const read = parseJsonText(readFileSync(manifest, 'utf8'))
  if ('problem' in read) throw new CommandError(`package.json line ${read.line}: ${read.problem}`, EXIT.usage)
  if (!isRecord(read.value)) throw new CommandError('package.json is not a JSON object', EXIT.usage)
  return 'jest' in read.value
}

function requireFree(cwd: string, files: readonly string[]): void {
  const taken = files.filter((file) => lstatSync(join(cwd, file), { throwIfNoEntry: false }))
  if (taken.length > 0) throw new CommandError(`already in the directory: ${taken.join(', ')}. Nothing was written`)
}

function describe({ agent, refusal, authMethods, exitProblem }: Probe, { out }: Shell): void {
  out(`The agent is ${agent}.`)
  if (refusal) {
    out(`It refused a session: ${refusal.message} (code ${refusal.code}). The scenario expects that.`)
    if (authMethods.length > 0)
      out(`It offers: ${authMethods.join(', ')}. Give it what it needs with --env, or "home".`)
  } else out('It opened a session.')
  if (exitProblem !== undefined) out(`It does not leave when its stdin closes, so the config says exit: 'sigterm'.`)
}

/** The JSON Schema from which an editor completes the scenario, where the package is installed in the project. */
function schemaPath(cwd: string): string | undefined {
  const schema = join(cwd, 'node_modules', 'jest-environment-acp', 'schema', 'input.schema.json')
  if (!existsSync(schema)) return undefined
  return relative(dirname(join(cwd, SCENARIO)), schema).replaceAll('\\', '/')
}

function write(cwd: string, file: string, text: string, { out }: Shell): void {
  const path = join(cwd, file)
  mkdirSync(dirname(path), { recursive: true })
  try {
    writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    // It appeared while the agent ran: another `init`, or the agent itself.
    if (isSystemError(error) && error.code === 'EEXIST') throw new CommandError(`already in the directory: ${file}`)
    throw error
  }
  out(`wrote ${file}`)
}

/** The first run writes the golden. The second one compares, and so shows whether the agent says the same again. */
function runTwice(jest: string, flags: readonly string[], shell: Shell): number {
  const run = (more: readonly string[]) => {
    const args = [...flags, ...more]
    shell.out(`\n$ ${['npx jest', ...args.map(quoteWord)].join(' ')}`)
    const { status } = spawnSync(process.execPath, [jest, ...args], { cwd: shell.cwd, stdio: 'inherit' })
    return status === 0
  }
  if (!run([])) return EXIT.failed
  if (!run(['--ci'])) {
    shell.err(`\nTwo runs differ. To find out what to normalise: npx acp-snapshot stable ${FIRST_SCENARIO}`)
    return EXIT.failed
  }
  shell.out(`\nCommit these files. Next, add a step to ${SCENARIO}: { "op": "prompt", "text": "…" }`)
  return EXIT.ok
}
