import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { install } from './install.ts'
import { type Result, tableOf } from './results.ts'
import { runScenario } from './run-scenario.ts'

const HELP = `Runs the scenarios of agents that we did not write. Installs an agent on first use: 100 to 400 MB each,
except sdk-example.

  npm run agents                               every agent
  npm run agents -- gemini-cli opencode        these agents
  npm run agents -- --scenario cancel          this scenario only
  npm run agents -- gemini-cli --runs 20       each scenario 20 times
  npm run agents -- gemini-cli --update        writes the goldens

Exit code: 0 if all runs are equal to the goldens, 1 if not, 2 for a mistake in the command line, 130 after Ctrl-C.`

const AGENTS = readdirSync(__dirname).filter((name) => existsSync(join(__dirname, name, 'jest.config.mjs')))

/** Aborted by the signal that asks this command to end. */
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      runs: { type: 'string', default: '1' },
      scenario: { type: 'string' },
      update: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  const runs = Number(values.runs)
  if (!Number.isInteger(runs) || runs < 1) throw new TypeError(`--runs needs a number from 1, not ${values.runs}`)
  const unknown = positionals.find((name) => !AGENTS.includes(name))
  if (unknown !== undefined) throw new TypeError(`no agent ${unknown}; the agents are ${AGENTS.join(', ')}`)
  const chosen = (positionals.length > 0 ? positionals : AGENTS).map((agent) => ({
    agent,
    scenarios: scenariosOf(agent, values.scenario),
  }))
  if (chosen.every(({ scenarios }) => scenarios.length === 0)) {
    throw new TypeError(`no scenario ${values.scenario}; the scenarios are ${knownScenarios().join(', ')}`)
  }
  const results: Result[] = []
  for (const { agent, scenarios } of chosen) {
    if (scenarios.length > 0) await runAgent({ agent, scenarios, runs, update: values.update }, results)
  }
  if (stop.signal.aborted) console.log('stopped')
  if (results.length > 0) console.log(`\n${tableOf(results)}`)
  if (stop.signal.aborted) return 130
  return results.every(({ failure }) => failure === undefined) ? 0 : 1
}

interface AgentRuns {
  agent: string
  scenarios: readonly string[]
  runs: number
  update: boolean
}

/** Adds one result for each run; one for each scenario if the agent cannot be installed. Ends early on a signal. */
async function runAgent({ agent, scenarios, runs, update }: AgentRuns, results: Result[]): Promise<void> {
  const dir = join(__dirname, agent)
  const problem = await install(dir, stop.signal)
  for (const scenario of scenarios) {
    for (let run = 1; run <= (problem === undefined ? runs : 1); run++) {
      process.stdout.write(`${agent} ${scenario}, run ${run} of ${runs}: `)
      const start = performance.now()
      const failure = problem ?? (await runScenario({ dir, scenario, update }, stop.signal))
      if (stop.signal.aborted) return
      const seconds = (performance.now() - start) / 1000
      results.push({ agent, scenario, seconds, failure })
      console.log(failure === undefined ? `passed, ${seconds.toFixed(1)} s` : `FAILED\n${failure}`)
    }
  }
}

function scenariosOf(agent: string, only: string | undefined): string[] {
  const fixtures = join(__dirname, agent, '__fixtures__')
  const names = readdirSync(fixtures).filter((name) => existsSync(join(fixtures, name, 'input.json')))
  return only === undefined ? names : names.filter((name) => name === only)
}

function knownScenarios(): string[] {
  return [...new Set(AGENTS.flatMap((agent) => scenariosOf(agent, undefined)))].sort()
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    const isMistake = error instanceof TypeError
    console.error(isMistake ? `${error.message} (npm run agents -- --help)` : error)
    process.exitCode = isMistake ? 2 : 1
  },
)
