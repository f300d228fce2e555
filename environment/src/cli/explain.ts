import { Command } from 'commander'
import { explainSessionLogs, explainTranscript, formatReplacements, unusedRules } from 'jest-serializer-acp'
import { escapeLine } from '../escape-controls.ts'
import { ChosenScenario, secretHider } from './chosen-scenario.ts'
import { EXIT, type Shell } from './shell.ts'

const HELP = `
Runs the scenario once, and lists by rule which values became tokens, and where. Nothing is written.

example:
  npx acp-snapshot explain handshake`

/** `acp-snapshot explain`: which normaliser rule replaced what, where. */
export function explainCommand(shell: Shell, exit: (code: number) => void): Command {
  return new Command('explain')
    .description('lists what the normaliser replaced in a scenario, rule by rule')
    .argument('<scenario>', 'the name of the scenario, or its path')
    .option('-c, --config <file>', 'the Jest config')
    .addHelpText('after', HELP)
    .action(async (word: string, { config }: { config?: string }) => {
      const chosen = await ChosenScenario.find(word, config, shell)
      const { transcript, logs, volatile } = await chosen.run()
      // The records of a module's format are normalised one by one, and have no lines.
      const texts = chosen.project.options.sessionLogs === true ? logs.map(({ text }) => text) : []
      const replacements = [...explainTranscript(transcript), ...explainSessionLogs({ logs: texts, volatile })]
      const lines = formatReplacements(replacements, secretHider(shell.env))
      for (const line of lines) shell.out(escapeLine(line))
      if (lines.length === 0) shell.out('nothing was replaced')
      const unused = unusedRules(volatile.rules ?? {}, [replacements])
      if (unused.length > 0) shell.out(`no effect in this scenario: ${unused.map(escapeLine).join(', ')}`)
      exit(EXIT.ok)
    })
}
