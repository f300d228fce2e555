import { Command, InvalidArgumentError } from 'commander'
import type { Transcript } from 'jest-serializer-acp'
import { escapeLine } from '../escape-controls.ts'
import { proposeRules } from '../stable/propose.ts'
import { formatProposal } from '../stable/snippet.ts'
import { ChosenScenario, secretHider } from './chosen-scenario.ts'
import { EXIT, type Shell } from './shell.ts'

const HELP = `
Runs the scenario several times and compares the transcripts. For each difference it proposes a rule of the normaliser, as
a piece of the Jest config. Nothing is written. Exit code: 0 if all runs are equal, 1 if they differ.

examples:
  npx acp-snapshot stable handshake
  npx acp-snapshot stable handshake --runs 10`

const DEFAULT_RUNS = 3

/** `acp-snapshot stable`: whether runs of a scenario are equal, and the rules that would make them so. */
export function stableCommand(shell: Shell, exit: (code: number) => void): Command {
  return new Command('stable')
    .description('runs a scenario several times, and proposes a rule for each difference')
    .argument('<scenario>', 'the name of the scenario, or its path')
    .option('-c, --config <file>', 'the Jest config')
    .option('-r, --runs <n>', 'how many times', parseRuns, DEFAULT_RUNS)
    .addHelpText('after', HELP)
    .action(async (word: string, { config, runs }: { config?: string; runs: number }) => {
      const chosen = await ChosenScenario.find(word, config, shell)
      const transcripts: Transcript[] = []
      for (let run = 0; run < runs; run++) transcripts.push((await chosen.run()).transcript)
      const proposal = proposeRules(transcripts)
      for (const line of formatProposal(proposal, secretHider(shell.env))) {
        for (const part of line.split('\n')) shell.out(escapeLine(part))
      }
      exit(proposal.proposed.length + proposal.remaining.length === 0 ? EXIT.ok : EXIT.failed)
    })
}

function parseRuns(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) < 2) throw new InvalidArgumentError('It must be a number from 2 up.')
  return Number(text)
}
